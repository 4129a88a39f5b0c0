// What coarse distances leave of the centres of a tile of rows, and how that is settled in full.
//
// One candidate is nearly always enough, and then the row itself is not even read. Answers are
// those of `nearest`: where two candidates are so close that the order of additions decides, it is
// done in `nearest`'s order. Rows with too many candidates are left to `nearest`.
#pragma once
#include "reach.hpp"
#include "scan.hpp"
#include "settle.hpp"

namespace ssk {
namespace SSK_ISA {

static constexpr int most_candidates = 64;

template <class T> struct Candidates {
    int64_t count;
    int32_t slot[most_candidates];
    float square[most_candidates];  // coarse
    T exact[most_candidates];       // negative where not computed

    // No branch on whether it is wanted, which cannot be predicted.
    void add(int32_t j, float here, float limit) {
        if (count == most_candidates) shorten(limit);
        if (count > most_candidates) return;
        slot[count] = j, square[count] = here;
        count += here <= limit;
    }
    // Leaves out what the limit has come to exclude; one more than there is room for says that
    // this was not enough.
    void shorten(float limit) {
        count = 0;
        for (int i = 0; i < most_candidates; ++i)
            if (square[i] <= limit) slot[count] = slot[i], square[count++] = square[i];
        count += count == most_candidates;
    }
};

template <class T> struct Settlement {
    static constexpr int rows = CoarseTile::rows;
    const Pairs &p;
    const Reach &reach;
    const int32_t *held;  // labels of all rows so far, or null: then exact squares are wanted
    double *upper;        // for each row, at least the distance to its nearest centre
    Candidates<T> *lists;
    Nearest near;  // of the tile at hand, by coarse distances
    float limit[rows];  // coarse squares beyond it belong to centres that are not the nearest
    double most_far[rows], others[rows];
    int64_t computed = 0;  // distances in full

    Settlement(const Pairs &p, const Reach &reach, const int32_t *held, double *upper,
               void *scratch)
        : p(p), reach(reach), held(held), upper(upper), lists((Candidates<T> *)scratch) {}

    void settle_row(int64_t row, int i) {
        const float *stats = stats_of(row);
        most_far[i] = reach.at_most(near.best[i], stats[1], stats[2]);
        others[i] = reach.at_least(near.second[i], stats[1], stats[2]);
        if (near.second[i] > limit[i]) settle_alone(row, i);
        else settle(row, i);
    }

    const float *stats_of(int64_t row) const {
        return p.coarse->stats + coarse_stats * p.coarse->at[row];
    }
    // Coarse squares beyond this belong to centres further than the one of this coarse square.
    float limit_of(const float *stats, float square) const {
        return (float)reach.limit(reach.at_most(square, stats[1], stats[2]), stats[1], stats[2]);
    }

    const T *row_at(int64_t row) const { return Dense<T>(p.x).row(row_of(p.x, row)); }
    const T *centre(int64_t slot) const { return (const T *)p.centres + slot * p.x.d; }

    // A single candidate: the row is read only if its exact square is wanted, else best is -1.
    void settle_alone(int64_t row, int i) {
        const int32_t nearest = slot_of<float>(near.slot[i]);
        p.labels[row] = nearest;
        p.second[row] = others[i];
        if (!held) {
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
        Candidates<T> &list = lists[i];
        p.labels[row] = -1;
        if (list.count > most_candidates) return;
        const double size = stats_of(row)[1], error = stats_of(row)[2];
        const int64_t d = p.x.d;
        const T *x = row_at(row);
        const int32_t promising = slot_of<float>(near.slot[i]);
        int64_t winner = 0;
        while (list.slot[winner] != promising) ++winner;
        list.exact[winner] = pair_square(x, centre(promising), d);
        const double near = reach.limit(reach.above((double)list.exact[winner]), size, error);
        double rest = (double)limit[i];
        for (int64_t j = 0; j < list.count; ++j) {
            if (list.slot[j] == promising) continue;
            const double square = (double)list.square[j];
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
    int64_t settle_tie(const Candidates<T> &list, const T *x, int64_t winner) const {
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
