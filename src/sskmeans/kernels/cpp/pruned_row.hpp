// One row on its way through the sieves of `prune` (see prune.hpp).
#pragma once
#include "rows.hpp"

namespace ssk {
namespace SSK_ISA {

static constexpr int block = 16;             // centres side by side in leading coordinates
static constexpr double most_units = 32766;  // so that a bound and its sinking add up in 16 bits

// What one thread holds: lists of the chunk's hard rows, and of one row's centres.
template <class T> struct PruneSpace {
    double *saved;  // by row of the chunk
    int32_t *winners;
    int64_t *hard, *rows;  // by hard row
    double *own, *best, *second;
    int32_t *labels;
    int64_t *candidates;  // by place of a centre, k rounded up to blocks
    T *exact;             // squares in full, -1 where not computed
    float *squares;       // in leading coordinates
    uint8_t *open;        // by group
    double *tiles;

    static size_t bytes(const Prune &r) {
        const int64_t width = r.blocks * block;
        return (size_t)(pruned_rows * 56 + width * (int64_t)(16 + sizeof(T) + sizeof(float)));
    }
    PruneSpace(const Prune &r, void *scratch) {
        const int64_t width = r.blocks * block;
        saved = (double *)scratch, own = saved + pruned_rows;
        best = own + pruned_rows, second = best + pruned_rows;
        hard = (int64_t *)(second + pruned_rows), rows = hard + pruned_rows;
        winners = (int32_t *)(rows + pruned_rows), labels = winners + pruned_rows;
        candidates = (int64_t *)(labels + pruned_rows);
        exact = (T *)(candidates + width);
        squares = (float *)(exact + width);
        open = (uint8_t *)(squares + width);
        tiles = (double *)((char *)scratch + bytes(r));
    }
};

// (x - c)^2 in the dtype of the data, lanes along the features.
template <class T> static T pair_square(const T *SSK_RESTRICT x, const T *SSK_RESTRICT c, int64_t d) {
    using V = Vec<T>;
    V sum[4] = {V::broadcast(0), V::broadcast(0), V::broadcast(0), V::broadcast(0)};
    int64_t f = 0;
    for (; f + 4 * V::lanes <= d; f += 4 * V::lanes) {
        SSK_UNROLL
        for (int i = 0; i < 4; ++i) {
            const V step = V::sub(V::load(x + f + i * V::lanes), V::load(c + f + i * V::lanes));
            sum[i] = V::fma(step, step, sum[i]);
        }
    }
    for (; f + V::lanes <= d; f += V::lanes) {
        const V step = V::sub(V::load(x + f), V::load(c + f));
        sum[0] = V::fma(step, step, sum[0]);
    }
    T lane[V::lanes], total = 0;
    V::add(V::add(sum[0], sum[1]), V::add(sum[2], sum[3])).store(lane);
    for (int i = 0; i < V::lanes; ++i) total += lane[i];
    for (; f < d; ++f) total += (x[f] - c[f]) * (x[f] - c[f]);
    return total;
}

// The bits that `nearest` compares: one chain of additions, as a lane of a tile has it.
template <class T> static T tile_square(const T *x, const T *c, int64_t d) {
    T sum = 0;
    for (int64_t f = 0; f < d; ++f) sum = scalar_fma(x[f] - c[f], x[f] - c[f], sum);
    return sum;
}

// One row on its way through the sieves.
template <class T> struct PrunedRow {
    const Prune &r;
    PruneSpace<T> &s;
    const T *x;
    const float *led;
    uint16_t *stored;
    int32_t held, winner;
    double own, best, upper;  // squares, and at least the distance to the nearest so far
    int64_t computed = 0, looked = 0, n_candidates = 0;

    PrunedRow(const Prune &r, PruneSpace<T> &s, int64_t at)
        : r(r), s(s), x(Dense<T>(r.p.x).row(row_of(r.p.x, at))),
          led(r.led + at * (r.directions + 2)), stored(r.stored + at * r.groups),
          held(r.labels[at]), winner(held), own(infinity), best(infinity),
          upper(held < 0 ? infinity : (r.upper[at] + r.drift[held]) * (1.0 + 0x1p-50)) {}

    const T *centre(int64_t slot) const { return (const T *)r.p.centres + slot * r.p.x.d; }
    double above(double square) const { return __builtin_sqrt(square) * r.outward + r.floor; }
    double below(double square) const { return __builtin_sqrt(square) * r.inward - r.floor; }
    int64_t group_of(int64_t place) const { return place / r.group; }
    uint16_t units(double distance, int64_t group) const {
        const double whole = distance > 0 ? least(distance / r.unit, most_units) : 0.0;
        return (uint16_t)((uint16_t)whole + r.sunk[group]);
    }

    // Which groups the bounds leave open; false when there are none.
    bool any_open() {
        const double needed = upper / r.unit + 2;
        const uint16_t reach = needed < most_units + 1 ? (uint16_t)needed : (uint16_t)(most_units + 1);
        uint8_t any = 0;
        for (int64_t g = 0; g < r.groups; ++g) {
            s.open[g] = stored[g] <= (uint16_t)(r.sunk[g] + reach);
            any |= s.open[g];
        }
        return any;
    }

    void tighten() {
        own = best = (double)pair_square(x, centre(held), r.p.x.d);
        upper = above(own);
        ++computed;
    }

    // Squares in leading coordinates beyond this belong to centres further away than `upper`.
    float limit() const {
        const double reach = (upper + r.floor) / r.inward + (double)led[r.directions + 1] + r.slack;
        const double square = reach * reach * (1 + r.led_error) * 1.000001;
        return square < 3e38 ? (float)square : 3e38f;
    }
    // At least this far away, by the square in leading coordinates.
    double led_below(float square) const {
        const double slack = (double)led[r.directions + 1] + r.slack;
        return (__builtin_sqrt((double)square * (1 - r.led_error)) - slack) * r.inward - r.floor;
    }

    void look_at_block(int64_t b) {
        using V = Vec<float>;
        constexpr int parts = block / V::lanes;
        const float *SSK_RESTRICT c = r.led_centres + b * (r.directions + 1) * block;
        V sum[2][parts];
        for (int v = 0; v < parts; ++v) sum[0][v] = sum[1][v] = V::broadcast(0);
        int64_t q = 0;
        for (; q + 2 <= r.directions + 1; q += 2) {
            SSK_UNROLL
            for (int i = 0; i < 2; ++i) {
                const V coordinate = V::broadcast(led[q + i]);
                SSK_UNROLL
                for (int v = 0; v < parts; ++v) {
                    const V step = V::sub(V::load(c + (q + i) * block + v * V::lanes), coordinate);
                    sum[i][v] = V::fma(step, step, sum[i][v]);
                }
            }
        }
        for (; q < r.directions + 1; ++q)
            for (int v = 0; v < parts; ++v) {
                const V step = V::sub(V::load(c + q * block + v * V::lanes), V::broadcast(led[q]));
                sum[0][v] = V::fma(step, step, sum[0][v]);
            }
        for (int v = 0; v < parts; ++v)
            V::add(sum[0][v], sum[1][v]).store(s.squares + b * block + v * V::lanes);
        for (int i = 0; i < block; ++i) s.exact[b * block + i] = -1;
        looked += block;
    }

    // Lists the centres that the leading coordinates leave open, the most promising one first.
    void look() {
        const float far = limit();
        const int64_t at_home = held < 0 ? -1 : r.place[held], in_block = block / r.group;
        int64_t first = 0;
        for (int64_t b = 0; b < r.blocks; ++b) {
            const uint8_t *open = s.open + b * in_block;
            uint8_t any = 0;
            for (int64_t g = 0; g < in_block; ++g) any |= open[g];
            if (!any) continue;
            look_at_block(b);
            for (int i = 0; i < block; ++i) {
                const int64_t place = b * block + i;
                s.candidates[n_candidates] = place;
                const bool in = s.squares[place] <= far && open[i / r.group] && place != at_home;
                if (in && s.squares[place] < s.squares[s.candidates[first]]) first = n_candidates;
                n_candidates += in;
            }
        }
        if (n_candidates == 0) return;
        const int64_t promising = s.candidates[first];
        s.candidates[first] = s.candidates[0];
        s.candidates[0] = promising;
    }

    void compare() {
        float far = limit();
        for (int64_t i = 0; i < n_candidates; ++i) {
            const int64_t place = s.candidates[i], slot = r.slots[place];
            if (s.squares[place] > far) continue;
            s.exact[place] = pair_square(x, centre(slot), r.p.x.d);
            ++computed;
            if ((double)s.exact[place] >= best) continue;
            best = (double)s.exact[place];
            winner = (int32_t)slot;
            upper = above(best);
            far = limit();
        }
        settle_ties();
    }

    // Where rounding could have made another centre the nearest, ask as `nearest` would.
    void settle_ties() {
        const double reach = above(best);
        int64_t rivals = held >= 0 && below(own) <= reach;
        for (int64_t i = 0; i < n_candidates; ++i) {
            const T exact = s.exact[s.candidates[i]];
            rivals += exact >= 0 && below((double)exact) <= reach;
        }
        if (rivals < 2) return;
        T least_square = (T)infinity;
        const auto ask = [&](int64_t slot) {
            const T square = tile_square(x, centre(slot), r.p.x.d);
            if (square > least_square || (square == least_square && slot > winner)) return;
            least_square = square;
            winner = (int32_t)slot;
        };
        winner = (int32_t)r.p.k;
        if (held >= 0 && below(own) <= reach) ask(held);
        for (int64_t i = 0; i < n_candidates; ++i) {
            const T exact = s.exact[s.candidates[i]];
            if (exact >= 0 && below((double)exact) <= reach) ask(r.slots[s.candidates[i]]);
        }
        best = (double)pair_square(x, centre(winner), r.p.x.d);
        upper = above(best);
        computed += rivals;
    }

    // New bounds for the groups that were open: the least over their members but the winner.
    void store_bounds() {
        for (int64_t g = 0; g < r.groups; ++g) {
            if (!s.open[g]) continue;
            double distance = infinity;
            for (int64_t place = g * r.group; place < (g + 1) * r.group; ++place) {
                const int32_t slot = r.slots[place];
                if (slot < 0 || slot == winner) continue;
                const bool in_full = slot == held || s.exact[place] >= 0;
                const double square = slot == held ? own : (double)s.exact[place];
                distance = least(distance, in_full ? below(square) : led_below(s.squares[place]));
            }
            stored[g] = units(distance, g);
        }
        if (held >= 0 && winner != held) {
            const int64_t home = group_of(r.place[held]);
            stored[home] = least(stored[home], units(below(own), home));
        }
    }
};

}  // namespace SSK_ISA
}  // namespace ssk
