// Nearest centres by way of coarse distances: all centres are compared in eight bits, the few that
// this leaves open in full.
//
// Coarse distances say that the nearest centre is no further than U, and which centres surely are,
// by more than rounding may err; those that are not are candidates. One is nearly always enough.
// Answers are those of `nearest`: where two candidates are so close that the order of additions
// decides, it is done in `nearest`'s order. Rows with too many candidates are left to `nearest`.
#pragma once
#include "coarse.hpp"
#include "distances.hpp"
#include "settle.hpp"

namespace ssk {
namespace SSK_ISA {

static constexpr int most_candidates = 16;

template <class T> struct Sift {
    using V = Vec<float>;
    static constexpr int rows = CoarseTile::rows;
    struct Candidates {
        int64_t count;
        int32_t slot[most_candidates];
        T exact[most_candidates];  // negative where not computed
    };

    const Pairs &p;
    const Coarse &c;
    double outward, inward, floor;
    CoarseTile tile;
    float *scores;  // (k, rows)
    Candidates *lists;
    float best[rows], second[rows], limit[rows];
    int64_t computed = 0;

    static size_t bytes(const Pairs &p) {
        const int64_t floats = CoarseTile::numbers(*p.coarse) + p.k * rows;
        return (size_t)floats * sizeof(float) + rows * sizeof(Candidates);
    }
    Sift(const Pairs &p, double outward, double inward, double floor, void *scratch)
        : p(p), c(*p.coarse), outward(outward), inward(inward), floor(floor),
          tile{*p.coarse, (float *)scratch}, scores(tile.turned + CoarseTile::numbers(c)),
          lists((Candidates *)(scores + p.k * rows)) {}

    double above(double square) const { return __builtin_sqrt(square) * outward + floor; }
    double below(double square) const { return __builtin_sqrt(square) * inward - floor; }
    // What rounding took from a row and a centre; how far a score of the row may err.
    double lost(int64_t at) const { return (double)c.stats[3 * at + 2] + c.centre_error; }
    double score_error(int64_t at) const {
        return 0x1p-20 * ((double)c.stats[3 * at + 1] + c.centre_square);
    }
    // Scores beyond this belong to centres that `nearest` finds further away than `distance`.
    float limit_for(double distance, int64_t at) const {
        const double reach = ((distance * outward + 2 * floor) / inward) / c.unit + lost(at);
        const double score = reach * reach * (1 + 1e-6) + score_error(at);
        return score < 3e38 ? (float)score * (1 + 0x1p-20f) : 3e38f;
    }
    // Any centre of at least this score is at least that far.
    double least_distance(double score, int64_t at) const {
        const double less = score - score_error(at);
        return ((less > 0 ? __builtin_sqrt(less) : 0.0) - lost(at)) * c.unit * (1 - 1e-12) * inward -
               floor;
    }

    void run(int64_t count) {
        const int64_t groups = ceil_div(p.k, V::centres), step = ceil_div(p.k, groups);
        for (int64_t row = 0; row < count; row += rows) {
            tile.load(row, count);
            for (int i = 0; i < rows; ++i) best[i] = second[i] = (float)infinity;
            for (int64_t j = 0; j < p.k; j += step)
                group<V::centres>((int)least(step, p.k - j), tile, *this, 1, j);
            finish(row, least<int64_t>(rows, count - row));
        }
    }

    template <int C> SSK_INLINE void take(int64_t, int64_t first, const V (&square)[C][2]) {
        SSK_UNROLL
        for (int half = 0; half < 2; ++half) {
            float *at = best + half * V::lanes, *next = second + half * V::lanes;
            V nearest = V::load(at), other = V::load(next);
            SSK_UNROLL
            for (int i = 0; i < C; ++i) {
                square[i][half].store(scores + (first + i) * rows + half * V::lanes);
                other = V::min(other, V::max(nearest, square[i][half]));
                nearest = V::min(nearest, square[i][half]);
            }
            nearest.store(at);
            other.store(next);
        }
    }

    void finish(int64_t first, int64_t count) {
        for (int i = 0; i < rows; ++i) {
            limit[i] = -3e38f;
            lists[i].count = 0;
            if (i >= count) continue;
            const int64_t at = c.at[first + i];
            const double nearest = (best[i] > 0 ? (double)best[i] : 0.0) + score_error(at);
            limit[i] = limit_for((__builtin_sqrt(nearest) + lost(at)) * c.unit, at);
        }
        const V left = V::load(limit), right = V::load(limit + V::lanes);
        for (int64_t j = 0; j < p.k; ++j) {
            const float *score = scores + j * rows;
            uint32_t open = V::not_greater(V::load(score), left) |
                            V::not_greater(V::load(score + V::lanes), right) << V::lanes;
            for (; open; open &= open - 1) {
                Candidates &list = lists[__builtin_ctz(open)];
                if (list.count < most_candidates) list.slot[list.count] = (int32_t)j;
                ++list.count;
            }
        }
        for (int i = 0; i < count; ++i) {
            if (lists[i].count > most_candidates) p.labels[first + i] = -1;
            else settle(first + i, i);
        }
    }

    void settle(int64_t row, int i) {
        Candidates &list = lists[i];
        const int64_t at = c.at[row], d = p.x.d;
        const T *x = Dense<T>(p.x).row(row_of(p.x, row));
        const auto centre = [&](int64_t j) { return (const T *)p.centres + list.slot[j] * d; };
        const auto score = [&](int64_t j) { return scores[list.slot[j] * rows + i]; };
        int64_t winner = 0;
        for (int64_t j = 0; j < list.count; ++j)
            if (score(j) < score(winner)) winner = j;
        const int64_t promising = winner;
        list.exact[winner] = pair_square(x, centre(winner), d);
        const float near = limit_for(above((double)list.exact[winner]), at);
        double rest = list.count == 1 ? (double)second[i] : (double)limit[i];
        for (int64_t j = 0; j < list.count; ++j) {
            if (j == promising) continue;
            const bool open = score(j) <= near;
            list.exact[j] = open ? pair_square(x, centre(j), d) : (T)-1;
            if (!open) rest = least(rest, (double)score(j));
            else if (list.exact[j] < list.exact[winner]) winner = j;
            computed += open;
        }
        ++computed;
        winner = settle_tie(list, x, winner);
        double lower = least_distance(rest, at);
        for (int64_t j = 0; j < list.count; ++j)
            if (j != winner && list.exact[j] >= 0)
                lower = least(lower, below((double)list.exact[j]));
        p.labels[row] = list.slot[winner];
        p.best[row] = (double)list.exact[winner];
        p.second[row] = lower;
    }

    // Where rounding could have made another centre the nearest, ask as `nearest` would.
    int64_t settle_tie(const Candidates &list, const T *x, int64_t winner) const {
        const double reach = above((double)list.exact[winner]);
        const auto is_rival = [&](int64_t j) {
            return list.exact[j] >= 0 && below((double)list.exact[j]) <= reach;
        };
        int64_t rivals = 0, asked = -1;
        for (int64_t j = 0; j < list.count; ++j) rivals += is_rival(j);
        if (rivals < 2) return winner;
        T least_square = 0;
        for (int64_t j = 0; j < list.count; ++j) {
            if (!is_rival(j)) continue;
            const T square = tile_square(x, (const T *)p.centres + list.slot[j] * p.x.d, p.x.d);
            // Slots ascend, so the first of equals stays.
            if (asked < 0 || square < least_square) asked = j, least_square = square;
        }
        return asked;
    }
};

}  // namespace SSK_ISA
}  // namespace ssk
