// `columns`: least and greatest value and weighted variance of every column of dense data, in one
// read. Narrow rows are read several at a time as one wide row, so that the vectors are full; the
// copies of a column are folded at the end. Minimum and maximum lose a NaN, but the sum of steps
// from the origin keeps it: such a column is looked at again.
#pragma once
#include "rows.hpp"

namespace ssk {
namespace SSK_ISA {

static constexpr int64_t wide = 128, column_parts = 16, least_numbers = 1 << 16;
static constexpr int64_t most_numbers = 1 << 24;  // in one part: some 20 ms
static constexpr int at_once = 4;

static int64_t rows_in_one(const Columns &c) { return most<int64_t>(1, wide / c.d); }

// Sums of one part: mass, then low, high, first, second of every column of a wide row.
struct Part {
    double *mass, *low, *high, *first, *second;
    Part(const Columns &c, int64_t part) {
        const int64_t width = rows_in_one(c) * c.d;
        mass = c.buffer + part * (1 + 4 * width);
        low = mass + 1;
        high = low + width;
        first = high + width;
        second = first + width;
    }
};

// R wide rows at once, so that the running sums are loaded and stored once for R.
template <int R, bool weighted, class T>
static void add_wide(const T *SSK_RESTRICT x, const double *SSK_RESTRICT weight,
                     const double *SSK_RESTRICT origin, const Part &part, int64_t width,
                     int64_t used) {
    double *SSK_RESTRICT low = part.low, *SSK_RESTRICT high = part.high;
    double *SSK_RESTRICT first = part.first, *SSK_RESTRICT second = part.second;
    for (int64_t f = 0; f < used; ++f) {
        double least_yet = low[f], most_yet = high[f], sum = first[f], squares = second[f];
        SSK_UNROLL
        for (int r = 0; r < R; ++r) {
            const double value = (double)x[r * width + f], step = value - origin[f];
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
static void spread(const Columns &c, int64_t i, int64_t rows, double *weight, double *mass) {
    if (!c.weights) *mass += (double)rows;
    for (int64_t r = 0; c.weights && r < rows; ++r) {
        *mass += c.weights[i + r];
        for (int64_t f = 0; f < c.d; ++f) weight[r * c.d + f] = c.weights[i + r];
    }
}

template <bool weighted, class T>
static void columns_part(const Columns &c, int64_t chunk, double *origin) {
    const T *x = (const T *)c.data;
    const Part part(c, chunk);
    const int64_t together = rows_in_one(c), width = together * c.d;
    const int64_t each = ceil_div(ceil_div(c.n, c.parts), together) * together;
    const int64_t end = least(c.n, (chunk + 1) * each);
    double *weight = origin + width;
    for (int64_t f = 0; f < width; ++f) {
        origin[f] = (double)x[c.origin * c.d + f % c.d];
        part.low[f] = infinity;
        part.high[f] = -infinity;
    }
    for (int64_t i = chunk * each; i < end;) {
        const bool many = i + at_once * together <= end;
        const int64_t rows = least((many ? at_once : 1) * together, end - i);
        spread(c, i, rows, weight, part.mass);
        if (many)
            add_wide<at_once, weighted>(x + i * c.d, weight, origin, part, width, width);
        else
            add_wide<1, weighted>(x + i * c.d, weight, origin, part, width, rows * c.d);
        i += rows;
    }
}

template <class T> static void columns_chunk(const void *arguments, int64_t chunk, void *scratch) {
    const Columns &c = *(const Columns *)arguments;
    if (c.weights)
        columns_part<true, T>(c, chunk, (double *)scratch);
    else
        columns_part<false, T>(c, chunk, (double *)scratch);
}

template <class T> static bool has_nan(const Columns &c, int64_t column) {
    const T *x = (const T *)c.data + column;
    for (int64_t i = 0; i < c.n; ++i)
        if (x[i * c.d] != x[i * c.d]) return true;
    return false;
}

template <class T> static void merge_columns_chunk(const void *arguments, int64_t, void *) {
    const Columns &c = *(const Columns *)arguments;
    const int64_t together = rows_in_one(c);
    double mass = 0;
    for (int64_t p = 0; p < c.parts; ++p) mass += *Part(c, p).mass;
    for (int64_t f = 0; f < c.d; ++f) {
        double low = infinity, high = -infinity, first = 0, second = 0;
        for (int64_t p = 0; p < c.parts; ++p)
            for (int64_t r = 0; r < together; ++r) {
                const Part part(c, p);
                const int64_t at = r * c.d + f;
                // A copy of the column that no row reached holds infinities of the wrong sign.
                low = part.low[at] < low ? part.low[at] : low;
                high = part.high[at] > high ? part.high[at] : high;
                first += part.first[at];
                second += part.second[at];
            }
        if (first != first && has_nan<T>(c, f)) low = high = first;
        const double variance = (second - first * first / mass) / mass;
        c.low[f] = low;
        c.high[f] = high;
        c.variance[f] = variance < 0 ? 0 : variance;
    }
}

static Plan plan_columns(const Columns *c) {
    const int64_t numbers = c->n * c->d, few = least(column_parts, numbers / least_numbers);
    const int64_t parts = most<int64_t>(1, most(few, numbers / most_numbers));
    return {parts, 1, 1, parts * (1 + 4 * rows_in_one(*c) * c->d)};
}

template <class T> static Work columns_work(const Columns *c) {
    return {c->parts, (size_t)((1 + at_once) * rows_in_one(*c) * c->d) * sizeof(double),
            0.3 * (double)c->n * (double)c->d, columns_chunk<T>, c};
}

template <class T> static Work merge_columns_work(const Columns *c) {
    return {1, 0, 0, merge_columns_chunk<T>, c};
}

}  // namespace SSK_ISA
}  // namespace ssk
