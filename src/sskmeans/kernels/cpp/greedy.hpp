// `gains` and `claim`: a pass of greedy k-means++, some rows at a time while they are in cache.
//
// Most rows need no distance: by the triangle inequality a candidate at twice a row's distance from
// the row's own centre, or further, is no nearer to the row (Raff 2021). `reach` holds, for each
// centre, the squared distance of a row to it up to which none of the candidates can be nearer.
// The candidate that is taken claims its rows by what the first pass kept: no row is read twice.
#pragma once
#include "distances.hpp"

namespace ssk {
namespace SSK_ISA {

// Lists of a chunk; they lie in the thread's scratch, before its distances and the tiles' space.
struct Offered {
    int64_t at[offered_rows], rows[offered_rows];
};

// Looks at the rows that some candidate may be nearer to; keeps what it saw for `claim`.
template <class Tile> static void gains_chunk(const void *arguments, int64_t chunk, void *scratch) {
    using Number = typename Tile::Number;
    const Offer &o = *(const Offer *)arguments;
    Offered &list = *(Offered *)scratch;
    double *squares = (double *)(&list + 1);
    const int64_t first = chunk * offered_rows, end = least(o.p.x.count, first + offered_rows);
    int64_t open = 0;
    for (int64_t i = first; i < end; ++i) {  // without a branch: it could not be predicted
        list.at[open] = i;
        open += o.squares[i] > o.reach[o.owners[i]];
    }
    for (int64_t i = 0; i < open; ++i) list.rows[i] = row_of(o.p.x, list.at[i]);
    Pairs q = o.p;
    q.x.rows = list.rows, q.x.count = open, q.best = squares;
    if (open) distance_rows<Tile, AllSink>(q, 0, open, squares + offered_rows * o.p.k);
    double *SSK_RESTRICT gains = o.gains + chunk * o.p.k;
    for (int64_t i = 0; i < open; ++i) {
        const int64_t at = list.at[i];
        const double held = o.squares[at], weight = o.weights ? o.weights[at] : 1.0;
        Number *SSK_RESTRICT kept = (Number *)o.kept + at * o.p.k;
        for (int64_t j = 0; j < o.p.k; ++j) {
            const double square = squares[i * o.p.k + j];
            kept[j] = (Number)square;  // as exact as it was computed
            gains[j] += weight * most(held - square, 0.0);
        }
    }
    o.opened[chunk] = open;
}

template <class Tile> static Work gains_work(const Offer *o) {
    Pairs largest = o->p;
    largest.x.count = offered_rows;
    const size_t scratch = sizeof(Offered) + (size_t)(offered_rows * o->p.k) * sizeof(double) +
                           distance_scratch<Tile, AllSink>(largest);
    const double cost = 1.5 * (double)o->p.x.count + o->share * Tile::cost(o->p);
    return {ceil_div(o->p.x.count, offered_rows), scratch, cost, gains_chunk<Tile>, o};
}

template <class Number>
static void claim_chunk(const void *arguments, int64_t chunk, void *) {
    const Offer &o = *(const Offer *)arguments;
    const int64_t first = chunk * offered_rows, end = least(o.p.x.count, first + offered_rows);
    const Number *kept = (const Number *)o.kept + o.column;
    for (int64_t i = first; i < end; ++i) {  // nothing was kept of a row that is not open
        const double held = o.squares[i], square = (double)kept[i * o.p.k];
        const int32_t owner = o.owners[i];
        const bool nearer = (held > o.reach[owner]) & (square < held);
        o.squares[i] = nearer ? square : held;
        o.owners[i] = nearer ? o.slot : owner;
    }
}

template <class Number> static Work claim_work(const Offer *o) {
    const double cost = 2.0 * (double)o->p.x.count;
    return {ceil_div(o->p.x.count, offered_rows), 0, cost, claim_chunk<Number>, o};
}

}  // namespace SSK_ISA
}  // namespace ssk
