// Nearest centres by way of coarse distances: most centres are excluded in eight bits, the few that
// are left are compared in full.
//
// Coarse distances say that the nearest centre is no further than U, and which centres surely are,
// by more than rounding may err; those that are not are candidates. One is nearly always enough,
// and then the row itself is not even read. Answers are those of `nearest`: where two candidates
// are so close that the order of additions decides, it is done in `nearest`'s order. Rows with too
// many candidates are left to `nearest`.
//
// Where there are codes of a few leading directions, those say first which centres are worth a
// coarse distance at all.
#pragma once
#include "scan.hpp"

#include "settle.hpp"

namespace ssk {
namespace SSK_ISA {

static constexpr int most_candidates = 64;

template <class T> struct Sift {
    static constexpr int rows = CoarseTile::rows;
    // From one centre in so many on, coarse distances are sooner computed for all, by tiles.
    static constexpr int64_t many = 8;
    // Leading directions exclude only centres that are by so much further than the nearest: what is
    // known of excluded ones is a row's lower bound, and must be worth something next time.
    static constexpr double further = 1.02;

    struct Candidates {
        int64_t count;
        int32_t slot[most_candidates + 1];
        float square[most_candidates + 1];  // coarse
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

    const Pairs &p;
    const Reach &reach;
    const int32_t *held;  // labels of all rows so far, or null: then exact squares are wanted
    double *upper;        // for each row, at least the distance to its nearest centre
    Candidates *lists;
    Near *open;  // the centres that are worth a coarse distance to rows of a tile
    Scan all, leading;
    int64_t wide[2 * rows], n_wide = 0;  // rows put off by `narrow`
    Nearest near;  // of the tile at hand, by coarse distances
    float limit[rows];
    double most_far[rows], others[rows];
    int64_t computed = 0, compared = 0;  // in full; coarsely, one by one or all

    static size_t bytes(const Pairs &p) {
        const Coarse *few = p.coarse->leading;
        const int64_t floats = Scan::numbers(*p.coarse, p.k) +
                               (few ? Scan::numbers(*few, p.k) : 0);
        return (size_t)floats * sizeof(float) + rows * sizeof(Candidates) +
               (size_t)(p.k + 1) * sizeof(Near);
    }
    Sift(const Pairs &p, const Reach &reach, const int32_t *held, double *upper, void *scratch)
        : p(p), reach(reach), held(held), upper(upper), lists((Candidates *)scratch),
          open((Near *)(lists + rows)), all(*p.coarse, p.k, (float *)(open + p.k + 1)),
          leading(p.coarse->leading ? *p.coarse->leading : *p.coarse, p.k,
                  all.squares + p.k * rows) {}

    void run(int64_t count) {
        int64_t line[rows];
        for (int64_t row = 0; row < count; row += rows) {
            const int64_t here = least<int64_t>(rows, count - row);
            for (int64_t i = 0; i < here; ++i) line[i] = row + i;
            for (int64_t i = row + rows; i < least(row + 2 * rows, count); ++i) ask_for(i);
            if (p.coarse->leading) narrow(line, here);
            else scan(line, here);
            if (n_wide >= rows) n_wide -= rows, scan(wide + n_wide, rows);
        }
        if (n_wide) scan(wide, n_wide);
    }

    void ask_for(int64_t row) const {
        const Coarse *few = p.coarse->leading;
        const int64_t at = p.coarse->at[row];
        prefetch(p.coarse->codes + at * p.coarse->width, p.coarse->width);
        if (few) prefetch(few->codes + at * few->width, few->width);
    }

    void load(Scan &scan, const int64_t *line, int64_t count) const {
        int64_t at[rows];
        for (int64_t i = 0; i < count; ++i) at[i] = p.coarse->at[line[i]];
        scan.tile.load(at, count);
    }

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

    // By coarse distances to all centres.
    void scan(const int64_t *line, int64_t count) {
        load(all, line, count);
        all.run();
        near = all.near;
        compared += count * p.k;
        float wanted[rows];
        bool any = false;
        for (int64_t i = 0; i < rows; ++i) {
            lists[i].count = 0;
            wanted[i] = -3e38f;
            if (i >= count) continue;
            limit[i] = limit_of(stats_of(line[i]), near.best[i]);
            const bool several = !(near.second[i] > limit[i]);
            if (several || !held) prefetch(row_at(line[i]), p.x.d * sizeof(T));
            if (several) wanted[i] = limit[i];
            any |= several;
        }
        for (int64_t j = 0; any && j < p.k; ++j)
            for (uint32_t rest = all.within(j, wanted); rest; rest &= rest - 1) {
                const int i = __builtin_ctz(rest);
                lists[i].add((int32_t)j, all.squares[j * rows + i], limit[i]);
            }
        for (int64_t i = 0; i < count; ++i) settle_row(line[i], (int)i);
    }

    // By coarse distances to the centres that leading directions leave; rows that have too many of
    // these are put off until there is a tile of them.
    void narrow(const int64_t *line, int64_t count) {
        const Coarse &c = *p.coarse;
        load(leading, line, count);
        if (!held) leading.run();
        float wanted[rows], beyond[rows];
        for (int64_t i = 0; i < rows; ++i) wanted[i] = -3e38f;
        for (int64_t i = 0; i < count; ++i) {
            const int64_t at = c.at[line[i]];
            const int32_t guess = held ? held[at] : slot_of<float>(leading.near.slot[i]);
            limit[i] = limit_of(stats_of(line[i]), coarse_square(c, at, guess));
            beyond[i] = least((float)(further * further) * limit[i], 3e38f);
            wanted[i] = leading_limit(at, beyond[i]);
            near.best[i] = near.second[i] = (float)infinity;
            lists[i].count = 0;
        }
        Within within(wanted, open);
        leading.compare(within);
        const uint32_t kept = put_off(within, line, count);
        int64_t n = 0;
        uint32_t rows_left = open[0].rows;
        for (int64_t pairs = within.pairs; pairs > 0; --pairs) {
            const int i = __builtin_ctz(rows_left);
            const int32_t slot = open[n].slot;
            // The next pair, without a branch: how many rows a centre has cannot be predicted.
            rows_left &= rows_left - 1;
            n += rows_left == 0;
            const uint32_t next = open[n].rows;
            rows_left = rows_left == 0 ? next : rows_left;
            offer(line[i], i, slot);
        }
        for (uint32_t rest = kept; rest; rest &= rest - 1) {
            const int i = __builtin_ctz(rest);
            near.second[i] = least(near.second[i], beyond[i]);
            settle_row(line[i], i);
        }
    }

    // Which rows have few centres, a bit each; the others are put off, and leave the list.
    uint32_t put_off(Within &within, const int64_t *line, int64_t count) {
        uint32_t kept = 0;
        for (int64_t i = 0; i < count; ++i) {
            const bool few = (float)many * within.centres[i] <= (float)p.k;
            if (few) kept |= 1u << i;
            else wide[n_wide++] = line[i];
        }
        int64_t left = 0, pairs = 0;
        for (int64_t n = 0; n < within.count; ++n) {
            const Near near = {open[n].slot, open[n].rows & kept};
            open[left] = near;
            left += near.rows != 0;
            pairs += __builtin_popcount(near.rows);
        }
        within.count = left, within.pairs = pairs;
        compared += pairs;
        return kept;
    }

    // A centre whose coarse square is at most this has at most the answer in leading directions.
    float leading_limit(int64_t at, float square) const {
        const Coarse &few = *p.coarse->leading;
        const float *stats = few.stats + coarse_stats * at;
        const double size = p.coarse->stats[coarse_stats * at + 1];
        const double far = __builtin_sqrt((double)square + reach.square_error(size));
        const double most_far = far * (1 + 1e-12) + stats[2] + few.centre_error;
        const double error = 0x1p-20 * (stats[1] + few.centre_square);
        return (float)least((most_far * most_far + error) * (1 + 0x1p-20), 3e38);
    }

    void offer(int64_t row, int i, int32_t j) {
        const float here = coarse_square(*p.coarse, p.coarse->at[row], j);
        if (here < near.best[i]) {
            near.second[i] = near.best[i];
            near.best[i] = here;
            near.slot[i] = slot_bits<float>(j);
            limit[i] = least(limit[i], limit_of(stats_of(row), here));
        } else {
            near.second[i] = least(near.second[i], here);
        }
        lists[i].add(j, here, limit[i]);
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
        Candidates &list = lists[i];
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
