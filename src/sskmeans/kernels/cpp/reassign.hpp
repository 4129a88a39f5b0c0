// `reassign`: one step of Hamerly's filter, some rows at a time while they are in cache.
//
// A row passes three sieves: its bounds, after the centres moved; its bounds again, once the upper
// one is the true distance to its centre; and last every centre, by way of coarse distances where
// there are any. Where most rows fail the first test, or centres are so few that all of them take
// little longer than one, and nothing is coarse, the second would only cost time, and is left out.
// Without coarse distances bounds come out bit for bit as in the reference: one rounding an
// operation.
#pragma once
#include "own.hpp"
#include "sift.hpp"

namespace ssk {
namespace SSK_ISA {

// Up to so many centres a tile of rows takes hardly longer than one distance of each, alone.
static constexpr int64_t few_centres = 64;

// Lists of a chunk; they lie in the thread's scratch, before the tiles' space.
struct Sieve {
    int64_t open[reassign_rows], rows[reassign_rows], hard[reassign_rows];
    int32_t labels[reassign_rows];
    double squares[reassign_rows], best[reassign_rows];  // negative where not known exactly
    double upper[reassign_rows], lower[reassign_rows];
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

static constexpr int64_t ahead = 8;  // rows asked for before they are needed

// Gives the listed rows a tighter upper bound; keeps those that still fail.
template <class Ask, class Bound>
static int64_t tighten(const Reassign &r, int64_t count, Sieve &s, Ask ask_for, Bound tight) {
    int64_t found = 0;
    for (int64_t i = 0; i < count; ++i) {
        if (i + ahead < count) ask_for(s.open[i + ahead]);
        const int64_t at = s.open[i], label = r.labels[at];
        const double u = tight(at, label, s.squares[found]);
        const double l = r.lower[at], gap = r.half_gap[label];
        r.upper[at] = u;
        s.open[found] = at;
        found += u >= (l > gap ? l : gap);
    }
    return found;
}

// By the true distance.
template <class Matrix>
static int64_t tighten(const Reassign &r, const Matrix &x, int64_t count, Sieve &s, double *dense) {
    const auto ask_for = [&](int64_t at) { prefetch_row(x, row_of(r.p.x, at)); };
    return tighten(r, count, s, ask_for, [&](int64_t at, int64_t label, double &square) {
        square = own_distance(x, r.p, row_of(r.p.x, at), label, dense);
        return above(r, square);
    });
}

// By the coarse distance, which reads a quarter: nearly as tight.
static int64_t tighten(const Reassign &r, const Reach &reach, int64_t count, Sieve &s) {
    const Coarse &c = *r.p.coarse;
    const auto ask_for = [&](int64_t at) { prefetch(c.codes + at * c.width, c.width); };
    return tighten(r, count, s, ask_for, [&](int64_t at, int64_t label, double &) {
        const float *stats = c.stats + coarse_stats * at;
        const double far = reach.at_most(coarse_square(c, at, label), stats[1], stats[2]);
        return least(r.upper[at], far * r.outward + r.floor);
    });
}

// The listed rows of X against every centre: labels, squares, and a lower bound to all others.
template <class Tile>
static void compare(const Reassign &r, Sieve &s, int64_t count, double *zeros) {
    Pairs q = r.p;
    q.x.rows = s.rows, q.x.count = count;
    q.labels = s.labels, q.best = s.best, q.second = s.lower;
    if (count) distance_rows<Tile, NearestSink>(q, 0, count, zeros);
    for (int64_t i = 0; i < count; ++i) {
        s.upper[i] = above(r, s.best[i]);
        s.lower[i] = below(r, s.lower[i]);
    }
}

// The same by way of coarse distances, and those of too many candidates in full.
template <class T>
static int64_t sift(const Reassign &r, const Reach &reach, Sieve &s, int64_t count, double *zeros) {
    Coarse coarse = *r.p.coarse, leading = {};
    Pairs q = r.p;
    coarse.at = s.open, q.coarse = &coarse;
    if (coarse.leading) leading = *coarse.leading, leading.at = s.open, coarse.leading = &leading;
    q.x.rows = s.rows, q.x.count = count;
    q.labels = s.labels, q.best = s.best, q.second = s.lower;
    Sift<T> sieve(q, reach, r.fresh ? nullptr : r.labels, s.upper, zeros);
    sieve.run(count);
    int64_t n_hard = 0;
    for (int64_t i = 0; i < count; ++i)
        if (s.labels[i] < 0) s.hard[n_hard++] = i;
    for (int64_t first = 0; first < n_hard; first += Sift<T>::rows) {
        int64_t rows[Sift<T>::rows];
        int32_t labels[Sift<T>::rows];
        double best[Sift<T>::rows], second[Sift<T>::rows];
        const int64_t size = least<int64_t>(Sift<T>::rows, n_hard - first);
        for (int64_t i = 0; i < size; ++i) rows[i] = s.rows[s.hard[first + i]];
        q.x.rows = rows, q.x.count = size;
        q.labels = labels, q.best = best, q.second = second;
        distance_rows<DenseTile<T>, NearestSink>(q, 0, size, zeros);
        for (int64_t i = 0; i < size; ++i) {
            const int64_t to = s.hard[first + i];
            s.labels[to] = labels[i], s.best[to] = best[i];
            s.upper[to] = above(r, best[i]), s.lower[to] = below(r, second[i]);
        }
    }
    // A coarse distance counts as a quarter of a full one, in leading directions as less.
    const int64_t first_look = coarse.leading ? count * r.p.k * leading.width / coarse.width : 0;
    return (first_look + sieve.compared) / 4 + sieve.computed + n_hard * r.p.k;
}

// Rows that may have another centre now, through the last two sieves; distances computed.
template <class Tile, class Matrix>
static int64_t look(const Reassign &r, const Matrix &x, int64_t count, int64_t &open, Sieve &s,
                    double *zeros) {
    const bool tight = 4 * open <= 3 * count && (r.p.coarse || r.p.k > few_centres);
    int64_t computed = tight ? open : 0;
    for (int64_t i = 0; i < open; ++i) s.squares[i] = -1;
    const auto find_rows = [&] {
        for (int64_t i = 0; i < open; ++i) s.rows[i] = row_of(r.p.x, s.open[i]);
    };
    if constexpr (Matrix::is_dense) {
        if (r.p.coarse) {
            const Reach reach(*r.p.coarse, r.outward, r.inward, r.floor);
            if (tight) open = tighten(r, reach, open, s), computed /= 4;
            find_rows();
            return computed + sift<typename Matrix::Value>(r, reach, s, open, zeros);
        }
    }
    if (tight) open = tighten(r, x, open, s, zeros);
    find_rows();
    compare<Tile>(r, s, open, zeros);
    return computed + open * r.p.k;
}

template <class Tile, class Matrix>
static void reassign_chunk(const void *arguments, int64_t chunk, void *scratch) {
    const Reassign &r = *(const Reassign *)arguments;
    Sieve &s = *(Sieve *)scratch;
    double *zeros = (double *)(&s + 1);
    const Matrix x(r.p.x);
    const int64_t first = chunk * reassign_rows, count = least(reassign_rows, r.p.x.count - first);
    int64_t open = count, moved = 0;
    if (r.fresh)
        for (int64_t i = 0; i < count; ++i) s.open[i] = first + i;
    else open = suspects(r, first, count, s.open);
    r.computed[chunk] = look<Tile>(r, x, count, open, s, zeros);
    double gain = 0;
    const auto square = [&](double known, int64_t i, int64_t slot) {
        return known >= 0 ? known : own_distance(x, r.p, s.rows[i], slot, zeros);
    };
    for (int64_t i = 0; i < open; ++i) {
        const int64_t at = s.open[i];
        const int32_t held = r.fresh ? -1 : r.labels[at], now = s.labels[i];
        r.lower[at] = s.lower[i];
        // What was known of the same distance may say more than a coarse one.
        r.upper[at] = now == held && s.best[i] < 0 ? least(r.upper[at], s.upper[i]) : s.upper[i];
        if (now == held) continue;
        const double before = r.fresh ? 0 : square(s.squares[i], i, held);
        gain += (r.weights ? r.weights[at] : 1.0) * (before - square(s.best[i], i, now));
        r.labels[at] = now;
        r.left[first + moved] = held;
        r.moved[first + moved++] = at;
    }
    r.gain[chunk] = gain;
    r.found[chunk] = moved;
}

template <class Tile, class Matrix> static Work reassign_work(const Reassign *r) {
    Pairs largest = r->p;
    largest.x.count = reassign_rows;
    size_t space = distance_scratch<Tile, NearestSink>(largest);
    if constexpr (Matrix::is_dense) {
        if (r->p.coarse) space = most(space, Sift<typename Matrix::Value>::bytes(r->p));
    }
    const size_t scratch = sizeof(Sieve) + space;
    const double cost = 3.0 * (double)r->p.x.count + r->share * Tile::cost(r->p);
    return {ceil_div(r->p.x.count, reassign_rows), scratch, cost, reassign_chunk<Tile, Matrix>, r};
}

}  // namespace SSK_ISA
}  // namespace ssk
