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
    uint16_t *open;       // by group
    double *tiles;

    static size_t bytes(const Prune &r) {
        const int64_t width = r.blocks * block;
        return (size_t)(pruned_rows * 56 + width * (int64_t)(10 + sizeof(T) + sizeof(float)));
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
        open = (uint16_t *)(squares + width);
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
    for (int width = V::lanes / 2; width > 0; width /= 2)
        for (int i = 0; i < width; ++i) lane[i] += lane[i + width];
    for (; f < d; ++f) total += (x[f] - c[f]) * (x[f] - c[f]);
    return lane[0] + total;
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
    uint16_t units(double distance, int64_t group) const {
        const double whole = distance > 0 ? least(distance / r.unit, most_units) : 0.0;
        return (uint16_t)((uint16_t)whole + r.sunk[group]);
    }

    // Which groups the bounds leave open; false when there are none.
    bool any_open() {
        const double needed = upper / r.unit + 2;
        const uint16_t reach = needed < most_units + 1 ? (uint16_t)needed : (uint16_t)(most_units + 1);
        // Locals, since writing bytes could change anything else in the compiler's eyes.
        uint16_t *SSK_RESTRICT open = s.open;
        const uint16_t *SSK_RESTRICT bounds = stored, *SSK_RESTRICT sunk = r.sunk;
        const int64_t groups = r.groups;
        uint16_t any = 0;
        for (int64_t g = 0; g < groups; ++g) {
            const uint16_t is_open = bounds[g] <= (uint16_t)(sunk[g] + reach) ? 1 : 0;
            open[g] = is_open;
            any |= is_open;
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
    void look_at_block(int64_t b) {
        using V = Vec<float>;
        constexpr int parts = block / V::lanes;
        const float *SSK_RESTRICT c = r.led_centres + b * (r.directions + 1) * block;
        constexpr int chains = 4;  // of additions side by side: one alone would wait for itself
        V sum[chains][parts];
        for (int i = 0; i < chains; ++i)
            for (int v = 0; v < parts; ++v) sum[i][v] = V::broadcast(0);
        const auto add = [&](int64_t q, V(&to)[parts]) {
            const V coordinate = V::broadcast(led[q]);
            SSK_UNROLL
            for (int v = 0; v < parts; ++v) {
                const V step = V::sub(V::load(c + q * block + v * V::lanes), coordinate);
                to[v] = V::fma(step, step, to[v]);
            }
        };
        int64_t q = 0;
        for (; q + chains <= r.directions; q += chains) {
            SSK_UNROLL
            for (int i = 0; i < chains; ++i) add(q + i, sum[i]);
        }
        for (; q < r.directions + 1; ++q) add(q, sum[0]);
        for (int v = 0; v < parts; ++v)
            V::add(V::add(sum[0][v], sum[1][v]), V::add(sum[2][v], sum[3][v]))
                .store(s.squares + b * block + v * V::lanes);
        looked += block;
    }

    // Lists the centres that the leading coordinates leave open, the most promising one first.
    void look() {
        const float far = limit();
        const int64_t at_home = held < 0 ? -1 : r.place[held];
        const int shift = r.group == 1 ? 0 : r.group == 2 ? 1 : r.group == 4 ? 2 : r.group == 8 ? 3 : 4;
        // For a few centres their distances cost less than the leading coordinates of sixteen.
        const int64_t few = block * (r.directions + 1) / r.p.x.d;
        int64_t *SSK_RESTRICT list = s.candidates, found = 0;
        const float *SSK_RESTRICT squares = s.squares;
        T *SSK_RESTRICT exact = s.exact;
        for (int64_t b = 0; b < r.blocks; ++b) {
            const uint16_t *SSK_RESTRICT open = s.open + ((b * block) >> shift);
            int64_t wanted = 0;
            for (int g = 0; g < block >> shift; ++g) wanted += open[g];
            if (wanted == 0) continue;
            if (wanted << shift > few) look_at_block(b);
            else
                for (int i = 0; i < block; ++i) s.squares[b * block + i] = r.slots[b * block + i] < 0 ? (float)infinity : 0;
            for (int i = 0; i < block; ++i) {
                const int64_t place = b * block + i;
                exact[place] = -1;
                list[found] = place;
                found += (squares[place] <= far) & open[i >> shift] & (place != at_home);
            }
        }
        if (found == 0) return;
        int64_t promising = list[0];
        for (int64_t i = 1; i < found; ++i)
            if (squares[list[i]] < squares[promising]) promising = list[i];
        compute(promising);
        const float near = limit();
        for (int64_t i = 0; i < found; ++i) {
            list[n_candidates] = list[i];
            n_candidates += squares[list[i]] <= near;
        }
    }

    void compute(int64_t place) {
        s.exact[place] = pair_square(x, centre(r.slots[place]), r.p.x.d);
        ++computed;
        if ((double)s.exact[place] >= best) return;
        best = (double)s.exact[place];
        winner = r.slots[place];
        upper = above(best);
    }

    void compare() {
        for (int64_t i = 0; i < n_candidates; ++i) {
            const int64_t place = s.candidates[i];
            if (s.exact[place] < 0 && s.squares[place] <= limit()) compute(place);
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

    // New bounds for the groups that were open: the least over their members but the winner, from
    // full squares where there are any, else from leading coordinates. In float, rounded inward.
    void store_bounds() {
        const float slack = (float)(((double)led[r.directions + 1] + r.slack) * 1.000001);
        const float inward = (float)(r.inward * (1 - 0x1p-20) / r.unit);
        const float floor = (float)(r.floor / r.unit * 1.000001), trust = 1 - (float)r.led_error;
        const int64_t size = r.group, in_block = block / size;
        if (held >= 0) s.exact[r.place[held]] = (T)own;
        s.exact[r.place[winner]] = (T)infinity;
        for (int64_t b = 0; b < r.blocks; ++b) {
            const uint16_t *SSK_RESTRICT open = s.open + b * in_block;
            uint16_t any = 0;
            for (int64_t g = 0; g < in_block; ++g) any |= open[g];
            if (!any) continue;
            const float *SSK_RESTRICT squares = s.squares + b * block;
            const T *SSK_RESTRICT exact = s.exact + b * block;
            float whole[block];
            for (int i = 0; i < block; ++i) {
                const float full = __builtin_sqrtf(exact[i] < 0 ? 0 : (float)exact[i]);
                const float led_only = __builtin_sqrtf(squares[i] * trust) - slack;
                const float distance = (exact[i] < 0 ? led_only : full) * inward - floor;
                whole[i] = distance > 0 ? (distance < (float)most_units ? distance : (float)most_units) : 0;
            }
            for (int64_t g = 0; g < in_block; ++g) {
                if (!open[g]) continue;
                float least_whole = whole[g * size];
                for (int64_t i = 1; i < size; ++i)
                    least_whole = least(least_whole, whole[g * size + i]);
                stored[b * in_block + g] = (uint16_t)least_whole + r.sunk[b * in_block + g];
            }
        }
        if (held >= 0 && winner != held) {
            const int64_t home = r.place[held] / size;
            stored[home] = least(stored[home], units(below(own), home));
        }
    }
};

}  // namespace SSK_ISA
}  // namespace ssk
