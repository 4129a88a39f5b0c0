// Rows in eight bits a number: `coarsen` rounds them, `CoarseTile` compares them with centres.
//
// A row is  middle + unit (a q + what rounding took),  where q is whole numbers and the length of
// what rounding took is known; so is a centre, with b r for a q. By the triangle inequality
//
//     | |x - c| / unit  -  |a q - b r| |   <=   what rounding took from the row and from the centre,
//
// and |a q - b r|^2 = a^2 |q|^2 + b^2 |r|^2 - 2 a b (q r), in which q r is summed without rounding,
// four products to a lane at once.
#pragma once
#include "rows.hpp"

namespace ssk {
namespace SSK_ISA {

static constexpr int64_t coarsened_rows = 256;
static constexpr int32_t row_bias = 128;  // codes of rows are unsigned, those of centres signed

// Nearest whole number, ties to even: all others are lost in the last digit.
SSK_INLINE double whole(double x) { return (x + 0x1.8p52) - 0x1.8p52; }

template <class T>
static void coarsen_row(const Coarsening &c, const T *SSK_RESTRICT x, double *SSK_RESTRICT step,
                        uint8_t *SSK_RESTRICT codes, float *stats) {
    const int64_t d = c.x.d;
    const double *SSK_RESTRICT middle = c.middle;
    const double inverse = 1.0 / c.unit;
    double largest = 0;
    for (int64_t f = 0; f < d; ++f) {
        step[f] = ((double)x[f] - middle[f]) * inverse;
        const double size = step[f] < 0 ? -step[f] : step[f];
        largest = largest < size ? size : largest;
    }
    const float scale = (float)(largest / (double)c.levels);
    const double wide = (double)scale, back = scale > 0 ? 1.0 / wide : 0.0;
    const int32_t bias = c.bias;
    double square = 0, lost = 0;
    for (int64_t f = 0; f < d; ++f) {
        const double q = whole(step[f] * back), rest = step[f] - wide * q;
        codes[f] = (uint8_t)((int32_t)q + bias);
        square += q * q;
        lost += rest * rest;
    }
    for (int64_t f = d; f < c.width; ++f) codes[f] = 0;
    stats[0] = scale;
    stats[1] = (float)(wide * wide * square);
    stats[2] = (float)((__builtin_sqrt(lost) + 1e-12) * (1 + 0x1p-20));
}

template <class T> static void coarsen_chunk(const void *arguments, int64_t chunk, void *scratch) {
    const Coarsening &c = *(const Coarsening *)arguments;
    const Dense<T> x(c.x);
    const int64_t end = least(c.x.count, (chunk + 1) * coarsened_rows);
    for (int64_t at = chunk * coarsened_rows; at < end; ++at)
        coarsen_row<T>(c, x.row(row_of(c.x, at)), (double *)scratch, c.codes + at * c.width,
                       c.stats + 3 * at);
}

template <class T> static Work coarsen_work(const Coarsening *c) {
    const double cost = 1.0 * (double)c->x.count * (double)c->x.d;
    return {ceil_div(c->x.count, coarsened_rows), (size_t)c->x.d * sizeof(double), cost,
            coarsen_chunk<T>, c};
}

// Two vectors of coarse rows, turned as in `DenseTile`, four numbers to a lane.
struct CoarseTile {
    using V = Vec<float>;
    static constexpr int rows = 2 * V::lanes;
    const Coarse &coarse;
    float *turned;  // (width / 4, rows), then their scales and squares

    static int64_t numbers(const Coarse &c) { return (c.width / 4 + 2) * rows; }

    void load(int64_t first, int64_t count) {
        const float *row[rows];
        float *stats = turned + coarse.width / 4 * rows;
        for (int i = 0; i < rows; ++i) {
            const int64_t at = coarse.at[least(first + i, count - 1)];
            row[i] = (const float *)(coarse.codes + at * coarse.width);
            stats[i] = coarse.stats[3 * at];
            stats[rows + i] = coarse.stats[3 * at + 1];
        }
        for (int64_t f = 0; f < coarse.width / 4; f += V::step) {
            V::transpose(row, f, turned + f * rows, rows);
            V::transpose(row + V::lanes, f, turned + f * rows + V::lanes, rows);
        }
    }

    // |a q - b r|^2 of the centres first .. first + C.
    template <int C> SSK_INLINE void distances(int64_t, int64_t first, V (&square)[C][2]) const {
        Ints sum[C][2];
        const uint8_t *c[C];
        SSK_UNROLL
        for (int i = 0; i < C; ++i) {
            c[i] = coarse.centre_codes + (first + i) * coarse.width;
            sum[i][0] = sum[i][1] = Ints::broadcast(coarse.bias[first + i]);
        }
        const int64_t quarter = coarse.width / 4;
        for (int64_t f = 0; f < quarter; ++f) {
            const Ints left = Ints::load(turned + f * rows);
            const Ints right = Ints::load(turned + f * rows + V::lanes);
            SSK_UNROLL
            for (int i = 0; i < C; ++i) {
                const Ints centre = Ints::broadcast(c[i] + 4 * f);
                sum[i][0] = Ints::dot(left, centre, sum[i][0]);
                sum[i][1] = Ints::dot(right, centre, sum[i][1]);
            }
        }
        const float *stats = turned + quarter * rows;
        SSK_UNROLL
        for (int half = 0; half < 2; ++half) {
            const V scale = V::load(stats + half * V::lanes);
            const V size = V::load(stats + rows + half * V::lanes);
            SSK_UNROLL
            for (int i = 0; i < C; ++i) {
                const float *centre = coarse.centre_stats + 3 * (first + i);
                const V twice = V::broadcast(2 * centre[0]), norm = V::broadcast(centre[1]);
                const V product = V::mul(scale, V::mul(twice, sum[i][half].numbers()));
                square[i][half] = V::sub(V::add(size, norm), product);
            }
        }
    }
};

}  // namespace SSK_ISA
}  // namespace ssk
