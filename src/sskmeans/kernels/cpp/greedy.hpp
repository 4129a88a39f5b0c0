// `gains` and `claim`: a pass of greedy k-means++, some rows at a time while they are in cache.
//
// Most rows need no distance: by the triangle inequality a candidate at twice a row's distance from
// the row's own centre, or further, is no nearer to the row (Raff 2021). `reach` holds, for each
// centre, the squared distance of a row to it up to which none of the candidates can be nearer.
#pragma once
#include "distances.hpp"

namespace ssk {
namespace SSK_ISA {

// Lists of a chunk; they lie in the thread's scratch, before its distances and the tiles' space.
struct Offered {
    int64_t at[offered_rows], rows[offered_rows];
};

// Lists the rows that some candidate may be nearer to, and computes their distances to all of them.
template <class Tile>
static int64_t offered(const Offer &o, int64_t chunk, void *scratch, Offered *&list,
                       const double *&squares) {
    list = (Offered *)scratch;
    const int64_t first = chunk * offered_rows, end = least(o.p.x.count, first + offered_rows);
    int64_t open = 0;
    for (int64_t i = first; i < end; ++i) {  // without a branch: it could not be predicted
        list->at[open] = i;
        open += o.squares[i] > o.reach[o.owners[i]];
    }
    for (int64_t i = 0; i < open; ++i) list->rows[i] = row_of(o.p.x, list->at[i]);
    double *space = (double *)(list + 1);
    Pairs q = o.p;
    q.x.rows = list->rows, q.x.count = open, q.best = space;
    if (open) distance_rows<Tile, AllSink>(q, 0, open, space + offered_rows * o.p.k);
    squares = space;
    return o.opened[chunk] = open;
}

template <class Tile> static void gains_chunk(const void *arguments, int64_t chunk, void *scratch) {
    const Offer &o = *(const Offer *)arguments;
    Offered *list;
    const double *squares;
    const int64_t open = offered<Tile>(o, chunk, scratch, list, squares);
    double *SSK_RESTRICT gains = o.gains + chunk * o.p.k;
    for (int64_t i = 0; i < open; ++i) {
        const int64_t at = list->at[i];
        const double held = o.squares[at], weight = o.weights ? o.weights[at] : 1.0;
        for (int64_t j = 0; j < o.p.k; ++j)
            gains[j] += weight * most(held - squares[i * o.p.k + j], 0.0);
    }
}

template <class Tile> static void claim_chunk(const void *arguments, int64_t chunk, void *scratch) {
    const Offer &o = *(const Offer *)arguments;
    Offered *list;
    const double *squares;
    const int64_t open = offered<Tile>(o, chunk, scratch, list, squares);
    for (int64_t i = 0; i < open; ++i) {
        const int64_t at = list->at[i];
        if (!(squares[i] < o.squares[at])) continue;
        o.squares[at] = squares[i];
        o.owners[at] = o.slot;
    }
}

template <class Tile, bool taken> static Work offer_work(const Offer *o) {
    Pairs largest = o->p;
    largest.x.count = offered_rows;
    const size_t scratch = sizeof(Offered) + (size_t)(offered_rows * o->p.k) * sizeof(double) +
                           distance_scratch<Tile, AllSink>(largest);
    const double cost = 1.5 * (double)o->p.x.count + o->share * Tile::cost(o->p);
    return {ceil_div(o->p.x.count, offered_rows), scratch, cost,
            taken ? claim_chunk<Tile> : gains_chunk<Tile>, o};
}

}  // namespace SSK_ISA
}  // namespace ssk
