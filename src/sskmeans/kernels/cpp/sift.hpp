// Nearest centres by way of coarse distances: all centres are compared in eight bits, the few that
// this leaves open in full.
//
// Coarse distances say that the nearest centre is no further than U, and which centres surely are,
// by more than rounding may err; those that are not are candidates. One is nearly always enough,
// and then the row itself is not even read. Answers are those of `nearest`: where two candidates
// are so close that the order of additions decides, it is done in `nearest`'s order. Rows with too
// many candidates are left to `nearest`.
#pragma once
#include "coarse.hpp"
#include "distances.hpp"
#include "settle.hpp"

namespace ssk {
namespace SSK_ISA {

static constexpr int most_candidates = 16;

// How bounds on distances follow from coarse squares: in units, and rounded outward.
struct Reach {
    const Coarse &c;
    double outward, inward, floor, per_unit, wider, twice_floor;

    Reach(const Coarse &c, double outward, double inward, double floor)
        : c(c), outward(outward), inward(inward), floor(floor),
          per_unit((1 + 1e-12) / c.unit), wider(outward / inward * (1 + 1e-12)),
          twice_floor(2 * floor / inward * (1 + 1e-12)) {}

    // How far a coarse square may err; what rounding took from a row and from a centre.
    double square_error(double size) const { return 0x1p-20 * (size + c.centre_square); }
    double lost(double error) const { return error + c.centre_error; }
    // At least the distance that goes with a coarse square of a row of this size and error.
    double at_most(double square, double size, double error) const {
        const double more = most(square, 0.0) + square_error(size);
        return (__builtin_sqrt(more) + lost(error)) * c.unit * (1 + 1e-12);
    }
    // A lower bound for a centre of at least this coarse square.
    double at_least(double square, double size, double error) const {
        const double less = most(square - square_error(size), 0.0);
        return (__builtin_sqrt(less) - lost(error)) * c.unit * (1 - 1e-12) * inward - floor;
    }
    // Coarse squares beyond this belong to centres that `nearest` finds further than `distance`.
    double limit(double distance, double size, double error) const {
        const double reach = (distance * wider + twice_floor) * per_unit + lost(error);
        return least((reach * reach * (1 + 1e-6) + square_error(size)) * (1 + 0x1p-20), 3e38);
    }
    double above(double square) const { return __builtin_sqrt(square) * outward + floor; }
    double below(double square) const { return __builtin_sqrt(square) * inward - floor; }
};

template <class T> struct Sift {
    using V = Vec<float>;
    static constexpr int rows = CoarseTile::rows;
    struct Candidates {
        int64_t count;
        int32_t slot[most_candidates];
        T exact[most_candidates];  // negative where not computed
    };

    const Pairs &p;
    const Reach &reach;
    bool exactly;   // the square to the nearest centre is wanted for every row
    double *upper;  // for each row, at least the distance to its nearest centre
    CoarseTile tile;
    float *squares;  // coarse, (k, rows)
    Candidates *lists;
    float best[rows], second[rows], slot[rows], limit[rows];
    double most_far[rows], others[rows];
    int64_t computed = 0;

    static size_t bytes(const Pairs &p) {
        const int64_t floats = CoarseTile::numbers(*p.coarse) + p.k * rows;
        return (size_t)floats * sizeof(float) + rows * sizeof(Candidates);
    }
    Sift(const Pairs &p, const Reach &reach, bool exactly, double *upper, void *scratch)
        : p(p), reach(reach), exactly(exactly), upper(upper),
          tile{*p.coarse, (float *)scratch}, squares(tile.turned + CoarseTile::numbers(*p.coarse)),
          lists((Candidates *)(squares + p.k * rows)) {}

    void run(int64_t count) {
        const int64_t groups = ceil_div(p.k, V::centres), step = ceil_div(p.k, groups);
        for (int64_t row = 0; row < count; row += rows) {
            tile.load(row, count);
            for (int i = 0; i < rows; ++i) best[i] = second[i] = (float)infinity;
            for (int64_t j = 0; j < p.k; j += step)
                group<V::centres>((int)least(step, p.k - j), tile, *this, 1, j);
            const int64_t here = least<int64_t>(rows, count - row);
            bound();
            list_candidates(row, here);
            for (int i = 0; i < here; ++i) {
                if (second[i] > limit[i]) settle_alone(row + i, i);
                else settle(row + i, i);
            }
        }
    }

    template <int C> SSK_INLINE void take(int64_t, int64_t first, const V (&square)[C][2]) {
        SSK_UNROLL
        for (int half = 0; half < 2; ++half) {
            const int at = half * V::lanes;
            V nearest = V::load(best + at), other = V::load(second + at), which = V::load(slot + at);
            SSK_UNROLL
            for (int i = 0; i < C; ++i) {
                const V here = square[i][half], number = V::broadcast(slot_bits<float>(first + i));
                here.store(squares + (first + i) * rows + at);
                which = V::select_less(here, nearest, number, which);
                other = V::min(other, V::max(nearest, here));
                nearest = V::min(nearest, here);
            }
            nearest.store(best + at);
            other.store(second + at);
            which.store(slot + at);
        }
    }

    // What the nearest and the second nearest coarse square say.
    void bound() {
        const float *SSK_RESTRICT size = tile.stats(1), *SSK_RESTRICT error = tile.stats(2);
        for (int i = 0; i < rows; ++i) {
            const double far = reach.at_most(best[i], size[i], error[i]);
            most_far[i] = far;
            limit[i] = (float)reach.limit(far, size[i], error[i]);
            others[i] = reach.at_least(second[i], size[i], error[i]);
        }
    }

    // Those of the rows that have several.
    void list_candidates(int64_t first, int64_t count) {
        float wanted[rows];
        bool any = false;
        for (int64_t i = 0; i < rows; ++i) {
            const bool several = i < count && !(second[i] > limit[i]);
            if (several || (exactly && i < count)) prefetch(row_at(first + i), p.x.d * sizeof(T));
            wanted[i] = several ? limit[i] : -3e38f;
            lists[i].count = 0;
            any |= several;
        }
        if (!any) return;
        const V left = V::load(wanted), right = V::load(wanted + V::lanes);
        for (int64_t j = 0; j < p.k; ++j) {
            const float *square = squares + j * rows;
            uint32_t open = V::not_greater(V::load(square), left) |
                            V::not_greater(V::load(square + V::lanes), right) << V::lanes;
            for (; open; open &= open - 1) {
                Candidates &list = lists[__builtin_ctz(open)];
                if (list.count < most_candidates) list.slot[list.count] = (int32_t)j;
                ++list.count;
            }
        }
    }

    const T *row_at(int64_t row) const { return Dense<T>(p.x).row(row_of(p.x, row)); }
    const T *centre(int64_t slot) const { return (const T *)p.centres + slot * p.x.d; }

    // A single candidate: the row is read only if its exact square is wanted, else best is -1.
    void settle_alone(int64_t row, int i) {
        const int32_t nearest = slot_of<float>(slot[i]);
        p.labels[row] = nearest;
        p.second[row] = others[i];
        if (exactly) {
            p.best[row] = (double)pair_square(row_at(row), centre(nearest), p.x.d);
            upper[row] = reach.above(p.best[row]);
            ++computed;
        } else {
            p.best[row] = -1;
            upper[row] = most_far[i] * reach.outward + reach.floor;
        }
    }

    // Several candidates, the most promising one first; label -1 where there are too many.
    void settle(int64_t row, int i) {
        Candidates &list = lists[i];
        p.labels[row] = -1;
        if (list.count > most_candidates) return;
        const double size = tile.stats(1)[i], error = tile.stats(2)[i];
        const int64_t d = p.x.d;
        const T *x = row_at(row);
        const int32_t promising = slot_of<float>(slot[i]);
        int64_t winner = 0;
        while (list.slot[winner] != promising) ++winner;
        list.exact[winner] = pair_square(x, centre(promising), d);
        const double near = reach.limit(reach.above((double)list.exact[winner]), size, error);
        double rest = (double)limit[i];
        for (int64_t j = 0; j < list.count; ++j) {
            if (list.slot[j] == promising) continue;
            const double square = (double)squares[list.slot[j] * rows + i];
            const bool open = square <= near;
            list.exact[j] = open ? pair_square(x, centre(list.slot[j]), d) : (T)-1;
            if (!open) rest = least(rest, square);
            else if (list.exact[j] < list.exact[winner]) winner = j;
            computed += open;
        }
        ++computed;
        winner = settle_tie(list, x, winner);
        double lower = reach.at_least(rest, size, error);
        for (int64_t j = 0; j < list.count; ++j)
            if (j != winner && list.exact[j] >= 0)
                lower = least(lower, reach.below((double)list.exact[j]));
        p.labels[row] = list.slot[winner];
        p.best[row] = (double)list.exact[winner];
        upper[row] = reach.above(p.best[row]);
        p.second[row] = lower;
    }

    // Where rounding could have made another centre the nearest, ask as `nearest` would.
    int64_t settle_tie(const Candidates &list, const T *x, int64_t winner) const {
        const double far = reach.above((double)list.exact[winner]);
        const auto is_rival = [&](int64_t j) {
            return list.exact[j] >= 0 && reach.below((double)list.exact[j]) <= far;
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
