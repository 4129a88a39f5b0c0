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

// Lists of a chunk; they lie in the thread's scratch, before its squares and the tiles' space.
struct Offered {
    int64_t at[offered_rows], rows[offered_rows];
    double held[offered_rows], weight[offered_rows];
};

// For each row, the square up to which no candidate is nearer.
static void reaches(const Offer &o, int64_t first, int64_t count, double *SSK_RESTRICT out) {
    const int32_t *SSK_RESTRICT owners = o.owners + first;
    const double *SSK_RESTRICT reach = o.reach;
    for (int64_t i = 0; i < count; ++i) out[i] = reach[owners[i]];
}

// Writes the squares to each candidate side by side.
template <class Tile> struct ColumnSink {
    using N = typename Tile::Number;
    using V = Vec<N>;
    static constexpr int64_t numbers = 0;
    N *out;  // (candidates, offered_rows)
    N *state = nullptr;
    int64_t batch = 0;  // its first row

    void start(int64_t row, int64_t) { batch = row; }
    template <int C> SSK_INLINE void take(int64_t tile, int64_t first, const V (&sum)[C][2]) {
        N *at = out + first * offered_rows + batch + tile * Tile::rows;
        SSK_UNROLL
        for (int i = 0; i < C; ++i) {
            sum[i][0].store(at + i * offered_rows);
            sum[i][1].store(at + i * offered_rows + V::lanes);
        }
    }
    void finish(int64_t, int64_t, int64_t) {}
};

// What rows gain from one candidate.
template <class N> static double gain_of(const Offered &list, const N *square, int64_t count) {
    using V = Vec<double>;
    const V none = V::broadcast(0);
    V total = none;
    for (int64_t i = 0; i < count; i += V::lanes) {
        const V gain = V::max(V::sub(V::load(list.held + i), V::load(square + i)), none);
        total = V::fma(V::load(list.weight + i), gain, total);
    }
    return total.total();
}

// Looks at the rows that some candidate may be nearer to; keeps what it saw for `claim`.
template <class Tile> static void gains_chunk(const void *arguments, int64_t chunk, void *scratch) {
    using N = typename Tile::Number;
    const Offer &o = *(const Offer *)arguments;
    Offered &list = *(Offered *)scratch;
    N *squares = (N *)(&list + 1);
    const int64_t k = o.p.k, first = chunk * offered_rows;
    const int64_t end = least(o.p.x.count, first + offered_rows);
    reaches(o, first, end - first, list.held);
    int64_t open = 0;
    for (int64_t i = 0; i < end - first; ++i) {  // without a branch: it could not be predicted
        list.at[open] = first + i;
        open += o.squares[first + i] > list.held[i];
    }
    o.opened[chunk] = open;
    if (!open) return;
    for (int64_t i = 0; i < open; ++i) {
        list.rows[i] = row_of(o.p.x, list.at[i]);
        list.held[i] = o.squares[list.at[i]];
        list.weight[i] = o.weights ? o.weights[list.at[i]] : 1.0;
    }
    // Past the last row nothing is gained.
    for (int64_t i = open; i < least(offered_rows, open + Vec<double>::lanes); ++i)
        list.held[i] = list.weight[i] = 0;
    Pairs q = o.p;
    q.x.rows = list.rows, q.x.count = open;
    distance_rows<Tile>(q, 0, open, (double *)(squares + k * offered_rows),
                        ColumnSink<Tile>{squares});
    for (int64_t j = 0; j < k; ++j) {
        const N *SSK_RESTRICT square = squares + j * offered_rows;
        N *SSK_RESTRICT kept = (N *)o.kept + (chunk * k + j) * offered_rows;
        for (int64_t i = 0; i < open; ++i) kept[list.at[i] - first] = square[i];
        o.gains[chunk * k + j] = gain_of(list, square, open);
    }
}

template <class Tile> static Work gains_work(const Offer *o) {
    Pairs largest = o->p;
    largest.x.count = offered_rows;
    const size_t scratch = sizeof(Offered) +
                           (size_t)(offered_rows * o->p.k) * sizeof(typename Tile::Number) +
                           distance_scratch<Tile, ColumnSink>(largest);
    const double cost = 1.5 * (double)o->p.x.count + o->share * Tile::cost(o->p);
    return {ceil_div(o->p.x.count, offered_rows), scratch, cost, gains_chunk<Tile>, o};
}

template <class Number>
static void claim_chunk(const void *arguments, int64_t chunk, void *) {
    const Offer &o = *(const Offer *)arguments;
    const int64_t first = chunk * offered_rows, end = least(o.p.x.count, first + offered_rows);
    const Number *kept = (const Number *)o.kept + (chunk * o.p.k + o.column) * offered_rows;
    const int64_t count = end - first;
    double *SSK_RESTRICT squares = o.squares + first;
    int32_t *SSK_RESTRICT owners = o.owners + first;
    double bar[offered_rows];
    reaches(o, first, count, bar);
    // Which rows are nearer could not be predicted: no branches. What is kept of a row that is not
    // open means nothing.
    using V = Vec<double>;
    double before[offered_rows];
    for (int64_t i = 0; i < count; ++i) before[i] = squares[i];
    int64_t i = 0;
    for (; i + V::lanes <= count; i += V::lanes) {
        const V held = V::load(before + i), reach = V::load(bar + i), square = V::load(kept + i);
        V::min(V::select_less(reach, held, square, held), held).store(squares + i);
    }
    for (; i < count; ++i)
        squares[i] = bar[i] < before[i] ? least((double)kept[i], before[i]) : before[i];
    for (i = 0; i < count; ++i) {
        const int32_t nearer = -(int32_t)(squares[i] < before[i]);
        owners[i] ^= (owners[i] ^ o.slot) & nearer;
    }
}

template <class Number> static Work claim_work(const Offer *o) {
    const double cost = 2.0 * (double)o->p.x.count;
    return {ceil_div(o->p.x.count, offered_rows), 0, cost, claim_chunk<Number>, o};
}

}  // namespace SSK_ISA
}  // namespace ssk
