// `columns`: least and greatest value and weighted variance of every column of dense data, in one
// read. Narrow rows are read several at a time as one wide row, so that the vectors are full; the
// copies of a column are folded at the end. Very wide rows are cut into slices of columns, so that
// running sums stay in cache and few parts of the rows are needed: beyond 32 bytes a column, the
// parts take at most an eighth of the data. Minimum and maximum lose a NaN, but the sum of steps
// from the origin keeps it: then the rows of that part are looked at again.
#pragma once
#include "rows.hpp"

namespace ssk {
namespace SSK_ISA {

static constexpr int64_t wide = 128, column_tasks = 16, least_numbers = 1 << 16;
static constexpr int64_t most_numbers = 1 << 24;  // in one chunk: some 20 ms
static constexpr int64_t most_columns = 1024;     // in one slice
static constexpr int at_once = 4;

static int64_t rows_in_one(const Columns &c) { return most<int64_t>(1, wide / c.d); }

static int64_t columns_slices(const Columns &c) { return ceil_div(c.d, most_columns); }

// Sums of one part: mass, then low, high, first, second of every column of a wide row, here from
// column `from` on.
struct Part {
    double *mass, *low, *high, *first, *second;
    Part(const Columns &c, int64_t part, int64_t from) {
        const int64_t width = rows_in_one(c) * c.d;
        mass = c.buffer + part * (1 + 4 * width);
        low = mass + 1 + from;
        high = low + width;
        first = high + width;
        second = first + width;
    }
};

// R wide rows at once, so that the running sums are loaded and stored once for R.
template <int R, bool weighted, class T>
static void add_wide(const T *SSK_RESTRICT x, const double *SSK_RESTRICT weight,
                     const double *SSK_RESTRICT origin, const Part &part, int64_t stride,
                     int64_t width, int64_t used) {
    double *SSK_RESTRICT low = part.low, *SSK_RESTRICT high = part.high;
    double *SSK_RESTRICT first = part.first, *SSK_RESTRICT second = part.second;
    for (int64_t f = 0; f < used; ++f) {
        double least_yet = low[f], most_yet = high[f], sum = first[f], squares = second[f];
        SSK_UNROLL
        for (int r = 0; r < R; ++r) {
            const double value = (double)x[r * stride + f], step = value - origin[f];
            const double weighed = weighted ? weight[r * width + f] * step : step;
            least_yet = value < least_yet ? value : least_yet;
            most_yet = value > most_yet ? value : most_yet;
            sum += weighed;
            squares += weighed * step;
        }
        low[f] = least_yet;
        high[f] = most_yet;
        first[f] = sum;
        second[f] = squares;
    }
}

// Puts each row's weight beside each of its numbers.
static void spread(const Columns &c, int64_t i, int64_t rows, int64_t columns, double *weight) {
    for (int64_t r = 0; r < rows; ++r)
        for (int64_t f = 0; f < columns; ++f) weight[r * columns + f] = c.weights[i + r];
}

template <class T>
static void keep_nan(const T *x, const Part &part, int64_t stride, int64_t rows, int64_t columns) {
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t f = 0; f < columns; ++f) {
            const T value = x[i * stride + f];
            if (value != value) part.low[f] = part.high[f] = (double)value;
        }
}

template <bool weighted, class T>
static void columns_part(const Columns &c, int64_t chunk, double *origin) {
    const int64_t slices = columns_slices(c), together = rows_in_one(c);  // one of them is 1
    const int64_t p = chunk / slices, slice = chunk % slices, each = ceil_div(c.d, slices);
    const int64_t from = slice * each, columns = least(c.d, from + each) - from;
    const int64_t stride = together * c.d, width = together * columns;
    const int64_t rows_each = ceil_div(ceil_div(c.n, c.parts), together) * together;
    const int64_t start = least(c.n, p * rows_each), end = least(c.n, start + rows_each);
    const T *x = (const T *)c.data + from;
    const Part part(c, p, from);
    double *weight = origin + width;
    for (int64_t f = 0; f < width; ++f) {
        origin[f] = (double)x[c.origin * c.d + f % columns];
        part.low[f] = infinity;
        part.high[f] = -infinity;
    }
    for (int64_t i = start; i < end;) {
        const bool many = i + at_once * together <= end;
        const int64_t rows = least((many ? at_once : 1) * together, end - i);
        if (weighted) spread(c, i, rows, columns, weight);
        if (many)
            add_wide<at_once, weighted>(x + i * c.d, weight, origin, part, stride, width, width);
        else
            add_wide<1, weighted>(x + i * c.d, weight, origin, part, stride, width,
                                  rows * columns);
        i += rows;
    }
    if (slice == 0 && !weighted) *part.mass = (double)(end - start);
    for (int64_t i = start; slice == 0 && weighted && i < end; ++i) *part.mass += c.weights[i];
    for (int64_t f = 0; f < width; ++f)
        if (part.first[f] != part.first[f])
            return keep_nan(x + start * c.d, part, c.d, end - start, columns);
}

template <class T> static void columns_chunk(const void *arguments, int64_t chunk, void *scratch) {
    const Columns &c = *(const Columns *)arguments;
    if (c.weights)
        columns_part<true, T>(c, chunk, (double *)scratch);
    else
        columns_part<false, T>(c, chunk, (double *)scratch);
}

static void merge_columns_chunk(const void *arguments, int64_t chunk, void *) {
    const Columns &c = *(const Columns *)arguments;
    const int64_t together = rows_in_one(c), end = least(c.d, (chunk + 1) * most_columns);
    double mass = 0;
    for (int64_t p = 0; p < c.parts; ++p) mass += *Part(c, p, 0).mass;
    for (int64_t f = chunk * most_columns; f < end; ++f) {
        double low = infinity, high = -infinity, first = 0, second = 0;
        for (int64_t p = 0; p < c.parts; ++p)
            for (int64_t r = 0; r < together; ++r) {
                // A copy of the column that no row reached holds infinities of the wrong sign.
                // The comparisons take over a NaN, and keep it.
                const Part part(c, p, r * c.d + f);
                low = low <= *part.low || low != low ? low : *part.low;
                high = high >= *part.high || high != high ? high : *part.high;
                first += *part.first;
                second += *part.second;
            }
        const double variance = (second - first * first / mass) / mass;
        c.low[f] = low;
        c.high[f] = high;
        c.variance[f] = variance < 0 ? 0 : variance;
    }
}

static Plan plan_columns(const Columns *c) {
    const int64_t numbers = c->n * c->d, slices = columns_slices(*c);
    const int64_t useful = least(column_tasks, numbers / least_numbers) / slices;
    const int64_t parts = most<int64_t>(1, most(useful, numbers / slices / most_numbers));
    return {parts, slices, 1, parts * (1 + 4 * rows_in_one(*c) * c->d)};
}

template <class T> static Work columns_work(const Columns *c) {
    const int64_t slices = columns_slices(*c), width = rows_in_one(*c) * ceil_div(c->d, slices);
    return {c->parts * slices, (size_t)((c->weights ? 1 + at_once : 1) * width) * sizeof(double),
            0.3 * (double)c->n * (double)c->d, columns_chunk<T>, c};
}

static Work merge_columns_work(const Columns *c) {
    const double numbers = (double)(c->parts * rows_in_one(*c) * c->d);
    return {ceil_div(c->d, most_columns), 0, 4.0 * numbers, merge_columns_chunk, c};
}

}  // namespace SSK_ISA
}  // namespace ssk
