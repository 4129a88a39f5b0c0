// Nearest centres by way of coarse distances: most centres are excluded in eight bits, the few that
// are left are compared in full.
//
// Coarse distances say that the nearest centre is no further than U, and which centres surely are,
// by more than rounding may err; those that are not are candidates. Where there are codes of a few
// leading directions, these say first which centres are worth a coarse distance at all.
#pragma once
#include "candidates.hpp"

namespace ssk {
namespace SSK_ISA {

template <class T> struct Sift : Settlement<T> {
    using Base = Settlement<T>;
    using Base::held, Base::limit, Base::limit_of, Base::lists, Base::near, Base::p, Base::reach;
    using Base::row_at, Base::rows, Base::settle_row, Base::stats_of;
    // From one centre in so many on, coarse distances are sooner computed for all, by tiles.
    static constexpr int64_t many = 8;
    // Leading directions exclude only centres that are by so much further than the nearest: what is
    // known of excluded ones is a row's lower bound, and must be worth something next time.
    static constexpr double further = 1.02;

    Near *open;  // the centres that are worth a coarse distance to rows of a tile
    Scan all, leading;
    int64_t wide[2 * rows], n_wide = 0;  // rows put off by `narrow`
    int64_t compared = 0;                // coarse distances

    static size_t bytes(const Pairs &p) {
        const Coarse *few = p.coarse->leading;
        const int64_t floats =
            Scan::numbers(*p.coarse, p.k) + (few ? Scan::numbers(*few, p.k) : 0);
        return rows * sizeof(Candidates<T>) + (size_t)(p.k + 1) * sizeof(Near) +
               (size_t)floats * sizeof(float);
    }
    Sift(const Pairs &p, const Reach &reach, const int32_t *held, double *upper, void *scratch)
        : Base(p, reach, held, upper, scratch), open((Near *)(lists + rows)),
          all(*p.coarse, p.k, (float *)(open + p.k + 1)),
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
            const Near entry = {open[n].slot, open[n].rows & kept};
            open[left] = entry;
            left += entry.rows != 0;
            pairs += __builtin_popcount(entry.rows);
        }
        within.pairs = pairs;
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
};

}  // namespace SSK_ISA
}  // namespace ssk
