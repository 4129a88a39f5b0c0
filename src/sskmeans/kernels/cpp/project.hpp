// `project`: every row about a centre of the data, in a few leading coordinates.
//
// A row becomes p coordinates, the length of what they leave out, and how far these p + 1 numbers
// may lie from the true ones. Lanes are directions; a few rows share each of their vectors.
#pragma once
#include "rows.hpp"

namespace ssk {
namespace SSK_ISA {

static constexpr int64_t projected_rows = 64;
static constexpr int together = 8;

// Rows first .. first + together, the last one repeated; `steps` holds them less the mean.
template <class T>
static void project_rows(const Projection &p, int64_t first, float *steps, double *squares) {
    using V = Vec<float>;
    const Dense<T> x(p.x);
    const T *SSK_RESTRICT mean = (const T *)p.mean;
    const int64_t d = p.x.d, count = p.directions, width = count + 2;
    for (int r = 0; r < together; ++r) {
        const T *row = x.row(row_of(p.x, least(first + r, p.x.count - 1)));
        float *SSK_RESTRICT step = steps + r * d;
        for (int64_t f = 0; f < d; ++f) step[f] = (float)(row[f] - mean[f]);
        squares[r] = squared_distance((const float *)nullptr, step, d);
    }
    for (int64_t q = 0; q < count; q += V::lanes) {
        V sum[together];
        SSK_UNROLL
        for (int r = 0; r < together; ++r) sum[r] = V::broadcast(0);
        for (int64_t f = 0; f < d; ++f) {
            const V direction = V::load(p.axes + f * count + q);
            SSK_UNROLL
            for (int r = 0; r < together; ++r)
                sum[r] = V::fma(direction, V::broadcast(steps[r * d + f]), sum[r]);
        }
        float lanes[V::lanes];
        for (int r = 0; r < together && first + r < p.x.count; ++r) {
            sum[r].store(lanes);
            for (int i = 0; i < V::lanes; ++i) p.out[(first + r) * width + q + i] = lanes[i];
        }
    }
}

// Coordinates err by `error` of the row's length; the square of what remains by twice that and
// the rounding of the row's own square.
static void finish_row(const Projection &p, float *row, double square) {
    double inside = 0;
    for (int64_t q = 0; q < p.directions; ++q) inside += (double)row[q] * (double)row[q];
    const double off = (2 * p.error + p.error * p.error + 0x1p-20) * square;
    const double rest = __builtin_sqrt(most(square - inside, 0.0)), root = __builtin_sqrt(off);
    const double rest_error = rest > root ? off / rest : root;
    row[p.directions] = (float)rest;
    const double slack = p.error * __builtin_sqrt(square) + rest_error + 0x1p-23 * rest;
    row[p.directions + 1] = (float)(slack * 1.000001);
}

template <class T> static void project_chunk(const void *arguments, int64_t chunk, void *scratch) {
    const Projection &p = *(const Projection *)arguments;
    const int64_t end = least(p.x.count, (chunk + 1) * projected_rows);
    for (int64_t first = chunk * projected_rows; first < end; first += together) {
        double squares[together];
        project_rows<T>(p, first, (float *)scratch, squares);
        for (int r = 0; r < together && first + r < end; ++r)
            finish_row(p, p.out + (first + r) * (p.directions + 2), squares[r]);
    }
}

template <class T> static Work project_work(const Projection *p) {
    const double cost = 0.03 * (double)p->x.count * (double)p->x.d * (double)(p->directions + 8);
    return {ceil_div(p->x.count, projected_rows), (size_t)(together * p->x.d) * sizeof(float),
            cost, project_chunk<T>, p};
}

}  // namespace SSK_ISA
}  // namespace ssk
