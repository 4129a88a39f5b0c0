// `sums`: the weighted sum of the rows of each cluster, twice as precise as a double; or what
// changes when rows go from one cluster to another.
//
// Knuth's two-sum gives what an addition rounds away, exactly; it is collected in `low`, and so is
// what the product of a weight and a number rounds away.
//
// The work is cut into parts (ranges of rows, each with its own totals, merged in order) times
// slices (ranges of features; for CSR, clusters by remainder), by shape alone: the bits are the
// same for any number of threads. Parts come first, because whole rows are read faster than slices
// of them; slices take over where the totals of many parts would be large beside the rows.
#pragma once
#include "rows.hpp"

namespace ssk {
namespace SSK_ISA {

static constexpr int64_t sum_tasks = 16, slice_features = 64, task_entries = 1 << 17;
static constexpr int64_t enough_parts = 4, buffer_bytes = 1 << 23, merge_cells = 1 << 14;
static constexpr int64_t round_entries = 1 << 24;  // one chunk adds, in 20 ms, or moves

SSK_INLINE void two_sum(double &high, double &low, double term) {
    const double sum = high + term, seen = sum - high;
    low += (high - (sum - seen)) + (term - seen);
    high = sum;
}

template <bool weighted, int sign, class T>
SSK_INLINE void add(double &high, double &low, double weight, T x) {
    if constexpr (weighted) {
        const double product = sign * weight * (double)x;
        two_sum(high, low, product);
        low += product_error(sign * weight, x, product);
    } else {
        two_sum(high, low, (double)(sign * x));
    }
}

template <class T> static int64_t slice_width(const Dense<T> *, const Totals &t) {
    return ceil_div(ceil_div(t.x.d, t.slices), slice_features) * slice_features;
}

template <bool weighted, int sign, class T>
static void add_row(const Dense<T> &x, const Totals &t, int64_t i, int64_t label, double weight,
                    int64_t slice, double *SSK_RESTRICT high, double *SSK_RESTRICT low) {
    const int64_t width = slice_width(&x, t), from = slice * width;
    const int64_t end = least(x.d, from + width);
    const T *SSK_RESTRICT row = x.row(i);
    high += label * x.d;
    low += label * x.d;
    for (int64_t f = from; f < end; ++f) add<weighted, sign>(high[f], low[f], weight, row[f]);
}

template <bool weighted, int sign, class T, class I>
static void add_row(const Csr<T, I> &x, const Totals &t, int64_t i, int64_t label, double weight,
                    int64_t slice, double *SSK_RESTRICT high, double *SSK_RESTRICT low) {
    if (label % t.slices != slice) return;
    high += label * t.x.d;
    low += label * t.x.d;
    for (int64_t e = (int64_t)x.indptr[i]; e < (int64_t)x.indptr[i + 1]; ++e)
        add<weighted, sign>(high[x.indices[e]], low[x.indices[e]], weight, x.data[e]);
}

template <class T>
static void prefetch_slice(const Dense<T> &x, const Totals &t, int64_t i, int64_t slice) {
    const int64_t width = slice_width(&x, t), from = slice * width, end = least(x.d, from + width);
    prefetch(x.row(i) + from, (end - from) * (int64_t)sizeof(T));
}
template <class T, class I>
static void prefetch_slice(const Csr<T, I> &, const Totals &, int64_t, int64_t) {}

template <bool weighted, class Matrix> static void sums_part(const Totals &t, int64_t chunk) {
    const Matrix x(t.x);
    const int64_t part = chunk / t.slices, slice = chunk % t.slices;
    const int64_t rows = ceil_div(t.x.count, t.parts), in_round = ceil_div(rows, t.rounds);
    const int64_t start = part * rows + t.round * in_round;
    const int64_t end = least(t.x.count, least((part + 1) * rows, start + in_round));
    double *high = t.buffer + part * 2 * t.k * t.x.d, *low = high + t.k * t.x.d;
    for (int64_t i = start; i < end; ++i) {
        if (t.x.rows && i + 8 < end) prefetch_slice(x, t, t.x.rows[i + 8], slice);
        const int64_t row = row_of(t.x, i);
        const double weight = weighted ? t.weights[i] : 1.0;
        add_row<weighted, 1>(x, t, row, t.labels[i], weight, slice, high, low);
        if (t.leaving) add_row<weighted, -1>(x, t, row, t.leaving[i], weight, slice, high, low);
    }
}

template <class Matrix> static void sums_chunk(const void *arguments, int64_t chunk, void *) {
    const Totals &t = *(const Totals *)arguments;
    t.weights ? sums_part<true, Matrix>(t, chunk) : sums_part<false, Matrix>(t, chunk);
}

template <class T> static int64_t useful_slices(const Dense<T> *, const Totals &t) {
    return most<int64_t>(1, least<int64_t>(8, t.x.d / slice_features));
}
template <class T, class I> static int64_t useful_slices(const Csr<T, I> *, const Totals &t) {
    return least<int64_t>(8, t.k);
}

template <class Matrix> static Plan plan_sums(const Totals *t) {
    const int64_t cells = t->k * t->x.d, bytes = 16 * cells;
    const int64_t data = Matrix::entries(t->x) * (int64_t)sizeof(typename Matrix::Value);
    const int64_t room = least(buffer_bytes, data / 4) / most<int64_t>(1, bytes);
    const int64_t entries = Matrix::entries(t->x);
    const int64_t wanted = least(sum_tasks, entries / task_entries);
    const int64_t parts = most<int64_t>(1, least(wanted, room));
    const int64_t useful = useful_slices((const Matrix *)nullptr, *t);
    const int64_t split = parts < enough_parts ? wanted / parts : 1;
    const int64_t slices = most<int64_t>(1, least(useful, split));
    const int64_t rounds = ceil_div(entries + 1, parts * slices * round_entries);
    return {parts, slices, rounds, parts * 2 * cells};
}

template <class Matrix> static Work sums_work(const Totals *t) {
    const double each = t->leaving ? 1.0 : 0.5;
    const double cost = each * (double)Matrix::entries(t->x) + 5.0 * (double)t->x.count;
    return {t->parts * t->slices, 0, cost / (double)t->rounds, sums_chunk<Matrix>, t};
}

// What was there and the parts, in order; then high becomes the rounded total.
static void merge_sums_chunk(const void *arguments, int64_t chunk, void *) {
    const Totals &t = *(const Totals *)arguments;
    const int64_t cells = t.k * t.x.d, end = least(cells, (chunk + 1) * merge_cells);
    for (int64_t c = chunk * merge_cells; c < end; ++c) {
        // One part has added where the totals go.
        double high = t.totals[c], low = t.totals[cells + c], rest = 0;
        for (int64_t part = t.parts > 1 ? 0 : 1; part < t.parts; ++part) {
            const double *from = t.buffer + part * 2 * cells + c;
            two_sum(high, low, from[0]);
            low += from[cells];
        }
        two_sum(high, rest, low);
        // Untouched pages of sparse totals stay untouched.
        if (high == t.totals[c] && rest == t.totals[cells + c]) continue;
        t.totals[c] = high;
        t.totals[cells + c] = rest;
    }
}

static Work merge_sums_work(const Totals *t) {
    const int64_t cells = t->k * t->x.d;
    return {ceil_div(cells, merge_cells), 0, 1.0 * (double)(cells * t->parts), merge_sums_chunk, t};
}

}  // namespace SSK_ISA
}  // namespace ssk
