// `prune`: one step of Yinyang's bounds, with leading coordinates behind them.
//
// Each row keeps an upper bound to its own centre and a lower one to every group of others. What
// the bounds cannot exclude is looked at in the leading coordinates, sixteen centres at once; what
// these cannot exclude either is computed in full. Where that would be many centres, the row goes
// with others of its kind through the tiles that compare with all of them.
#pragma once
#include "distances.hpp"
#include "pruned_row.hpp"

namespace ssk {
namespace SSK_ISA {

template <class T> static void prune_chunk(const void *arguments, int64_t chunk, void *scratch) {
    const Prune &r = *(const Prune *)arguments;
    PruneSpace<T> s(r, scratch);
    const int64_t first = chunk * pruned_rows, end = least(r.p.x.count, first + pruned_rows);
    int64_t n_hard = 0, moved = 0;
    double gain = 0, computed = 0;
    const double look = (double)(r.directions + 1) / (double)r.p.x.d;
    for (int64_t at = first; at < end; ++at) {
        PrunedRow<T> row(r, s, at);
        s.winners[at - first] = row.held;
        bool open = row.any_open();
        if (open && row.held >= 0) row.tighten(), open = row.any_open();
        if (open) row.look();
        if (open && 3 * row.n_candidates > r.p.k) {
            s.own[n_hard] = row.own;
            s.rows[n_hard] = row_of(r.p.x, at);
            s.hard[n_hard++] = at;
        } else if (open) {
            row.compare();
            row.store_bounds();
            s.winners[at - first] = row.winner;
            s.saved[at - first] = row.own - row.best;
        }
        r.upper[at] = row.upper;
        computed += (double)row.computed + look * (double)row.looked;
    }
    Pairs q = r.p;
    q.x.rows = s.rows, q.x.count = n_hard;
    q.labels = s.labels, q.best = s.best, q.second = s.second;
    if (n_hard) distance_rows<DenseTile<T>, NearestSink>(q, 0, n_hard, s.tiles);
    for (int64_t i = 0; i < n_hard; ++i) {
        PrunedRow<T> row(r, s, s.hard[i]);
        r.upper[s.hard[i]] = row.above(s.best[i]);
        for (int64_t g = 0; g < r.groups; ++g) row.stored[g] = row.units(row.below(s.second[i]), g);
        s.winners[s.hard[i] - first] = s.labels[i];
        s.saved[s.hard[i] - first] = s.own[i] - s.best[i];
    }
    for (int64_t at = first; at < end; ++at) {
        const int32_t from = r.labels[at], to = s.winners[at - first];
        if (from == to) continue;
        if (from >= 0) gain += (r.weights ? r.weights[at] : 1.0) * s.saved[at - first];
        r.labels[at] = to;
        r.left[first + moved] = from;
        r.moved[first + moved++] = at;
    }
    r.gain[chunk] = gain;
    r.computed[chunk] = computed + (double)n_hard * (double)r.p.k;
    r.found[chunk] = moved;
}

template <class T> static Work prune_work(const Prune *r) {
    Pairs largest = r->p;
    largest.x.count = pruned_rows;
    const size_t tiles = distance_scratch<DenseTile<T>, NearestSink>(largest);
    const size_t scratch = PruneSpace<T>::bytes(*r) + tiles;
    const double cost = 20.0 * (double)r->p.x.count + r->share * DenseTile<T>::cost(r->p);
    return {ceil_div(r->p.x.count, pruned_rows), scratch, cost, prune_chunk<T>, r};
}

}  // namespace SSK_ISA
}  // namespace ssk
