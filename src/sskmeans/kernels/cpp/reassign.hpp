// `reassign`: one step of Hamerly's filter, some rows at a time while they are in cache.
//
// A row passes three sieves: its bounds, after the centres moved; its bounds again, once the upper
// one is the true distance to its centre; and last every centre. Where most rows fail the first
// test the second would only cost time, and is left out. Bounds come out bit for bit as in the
// reference: one rounding an operation.
#pragma once
#include "distances.hpp"
#include "own.hpp"

namespace ssk {
namespace SSK_ISA {

// Lists of a chunk; they lie in the thread's scratch, before the tiles' space.
struct Sieve {
    int64_t open[reassign_rows], rows[reassign_rows];
    int32_t labels[reassign_rows];
    double squares[reassign_rows], best[reassign_rows], second[reassign_rows];
};

SSK_INLINE double above(const Reassign &r, double square) {
    return __builtin_sqrt(square) * r.outward + r.floor;
}
SSK_INLINE double below(const Reassign &r, double square) {
    return __builtin_sqrt(square) * r.inward - r.floor;
}

// Moves the bounds as the centres moved; lists the rows that may have another centre now.
static int64_t suspects(const Reassign &r, int64_t first, int64_t count, int64_t *out) {
    constexpr double grow = 1.0 + 0x1p-50, shrink = 1.0 - 0x1p-50;
    const int32_t *SSK_RESTRICT labels = r.labels + first;
    double *SSK_RESTRICT upper = r.upper + first, *SSK_RESTRICT lower = r.lower + first;
    int64_t fails[reassign_rows], found = 0;
    for (int64_t i = 0; i < count; ++i) {
        const double u = (upper[i] + r.drift[labels[i]]) * grow;
        const double less = lower[i] - r.other_drift[labels[i]];
        const double l = less * (less > 0 ? shrink : grow);
        const double gap = r.half_gap[labels[i]];
        upper[i] = u;
        lower[i] = l;
        fails[i] = u >= (l > gap ? l : gap);
    }
    // Without a branch: which rows survive cannot be predicted.
    for (int64_t i = 0; i < count; ++i) {
        out[found] = first + i;
        found += fails[i];
    }
    return found;
}

// Makes the upper bound of the listed rows tight; keeps those that still fail.
template <class Matrix>
static int64_t tighten(const Reassign &r, const Matrix &x, int64_t count, Sieve &s, double *dense) {
    int64_t found = 0;
    for (int64_t i = 0; i < count; ++i) {
        const int64_t at = s.open[i], label = r.labels[at];
        const double square = own_distance(x, r.p, row_of(r.p.x, at), label, dense);
        const double u = above(r, square), l = r.lower[at], gap = r.half_gap[label];
        r.upper[at] = u;
        s.open[found] = at;
        s.squares[found] = square;
        found += u >= (l > gap ? l : gap);
    }
    return found;
}

template <class Tile, class Matrix>
static void reassign_chunk(const void *arguments, int64_t chunk, void *scratch) {
    const Reassign &r = *(const Reassign *)arguments;
    Sieve &s = *(Sieve *)scratch;
    double *zeros = (double *)(&s + 1);
    const Matrix x(r.p.x);
    const int64_t first = chunk * reassign_rows, count = least(reassign_rows, r.p.x.count - first);
    int64_t open = suspects(r, first, count, s.open), moved = 0;
    const bool tight = 4 * open <= 3 * count;
    r.tightened[chunk] = tight ? open : 0;
    if (tight) open = tighten(r, x, open, s, zeros);
    r.opened[chunk] = open;
    for (int64_t i = 0; i < open; ++i) s.rows[i] = row_of(r.p.x, s.open[i]);
    Pairs q = r.p;
    q.x.rows = s.rows, q.x.count = open;
    q.labels = s.labels, q.best = s.best, q.second = s.second;
    if (open) distance_rows<Tile, NearestSink>(q, 0, open, zeros);
    double gain = 0;
    for (int64_t i = 0; i < open; ++i) {
        const int64_t at = s.open[i];
        const int32_t held = r.labels[at];
        r.upper[at] = above(r, s.best[i]);
        r.lower[at] = below(r, s.second[i]);
        if (s.labels[i] == held) continue;
        const double square = tight ? s.squares[i] : own_distance(x, r.p, s.rows[i], held, zeros);
        gain += (r.weights ? r.weights[at] : 1.0) * (square - s.best[i]);
        r.labels[at] = s.labels[i];
        r.left[first + moved] = held;
        r.moved[first + moved++] = at;
    }
    r.gain[chunk] = gain;
    r.found[chunk] = moved;
}

template <class Tile, class Matrix> static Work reassign_work(const Reassign *r) {
    Pairs largest = r->p;
    largest.x.count = reassign_rows;
    const size_t scratch = sizeof(Sieve) + distance_scratch<Tile, NearestSink>(largest);
    const double cost = 3.0 * (double)r->p.x.count + r->share * Tile::cost(r->p);
    return {ceil_div(r->p.x.count, reassign_rows), scratch, cost, reassign_chunk<Tile, Matrix>, r};
}

}  // namespace SSK_ISA
}  // namespace ssk
