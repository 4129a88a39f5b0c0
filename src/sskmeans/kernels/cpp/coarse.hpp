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

// (x - middle) / unit, and the largest of these.
template <class T> static double scaled_steps(const Coarsening &c, const T *x, double *step) {
    using V = Vec<double>;
    const double inverse = 1.0 / c.unit;
    V largest = V::broadcast(0);
    const V factor = V::broadcast(inverse), zero = V::broadcast(0);
    int64_t f = 0;
    for (; f + V::lanes <= c.x.d; f += V::lanes) {
        const V here = V::mul(V::sub(V::load(x + f), V::load(c.middle + f)), factor);
        here.store(step + f);
        largest = V::max(largest, V::max(here, V::sub(zero, here)));
    }
    double lane[V::lanes], most_of_all = 0;
    largest.store(lane);
    for (int i = 0; i < V::lanes; ++i) most_of_all = most(most_of_all, lane[i]);
    for (; f < c.x.d; ++f) {
        step[f] = ((double)x[f] - c.middle[f]) * inverse;
        most_of_all = most(most_of_all, most(step[f], -step[f]));
    }
    return most_of_all;
}

// Steps become whole numbers of `scale`; the square of what that took from them.
static double round_steps(double *step, int64_t d, double scale, double back) {
    using V = Vec<double>;
    // The nearest whole number, ties to even: what is less is lost in the last digit.
    constexpr double magic = 0x1.8p52;
    const V times = V::broadcast(back), size = V::broadcast(scale), shift = V::broadcast(magic);
    V lost = V::broadcast(0);
    int64_t f = 0;
    for (; f + V::lanes <= d; f += V::lanes) {
        const V here = V::load(step + f), q = V::sub(V::add(V::mul(here, times), shift), shift);
        const V rest = V::sub(here, V::mul(size, q));
        lost = V::fma(rest, rest, lost);
        q.store(step + f);
    }
    double total = lost.total();
    for (; f < d; ++f) {
        const double q = (step[f] * back + magic) - magic, rest = step[f] - scale * q;
        total += rest * rest;
        step[f] = q;
    }
    return total;
}

// The code of a row of steps, the largest of which is known.
static void encode(double *step, int64_t d, double largest, int32_t levels, int32_t bias,
                   int64_t width, uint8_t *codes, float *stats) {
    const float scale = (float)(largest / (double)levels);
    const double wide = (double)scale;
    const double lost = round_steps(step, d, wide, scale > 0 ? 1.0 / wide : 0.0);
    const double *SSK_RESTRICT whole = step;
    uint8_t *SSK_RESTRICT out = codes;
    int32_t square = 0;
    for (int64_t f = 0; f < d; ++f) {
        const int32_t code = (int32_t)whole[f];
        square += code * code;
        out[f] = (uint8_t)(code + bias);
    }
    for (int64_t f = d; f < width; ++f) codes[f] = 0;
    stats[0] = scale;
    stats[1] = (float)(wide * wide * (double)square);
    stats[2] = (float)((__builtin_sqrt(lost) + 1e-12) * (1 + 0x1p-20));
    stats[3] = 0;
}

template <class T> static void coarsen_chunk(const void *arguments, int64_t chunk, void *scratch) {
    const Coarsening &c = *(const Coarsening *)arguments;
    const Dense<T> x(c.x);
    const int64_t end = least(c.x.count, (chunk + 1) * coarsened_rows);
    double *step = (double *)scratch;
    for (int64_t at = chunk * coarsened_rows; at < end; ++at) {
        const double largest = scaled_steps(c, x.row(row_of(c.x, at)), step);
        encode(step, c.x.d, largest, c.levels, c.bias, c.width, c.codes + at * c.width,
               c.stats + coarse_stats * at);
    }
}

template <class T> static Work coarsen_work(const Coarsening *c) {
    const double cost = 1.0 * (double)c->x.count * (double)c->x.d;
    return {ceil_div(c->x.count, coarsened_rows), (size_t)c->x.d * sizeof(double), cost,
            coarsen_chunk<T>, c};
}

// |a q - b r|^2 of one row and one centre, the bits that a tile gives them.
static float coarse_square(const Coarse &c, int64_t at, int64_t slot) {
    const uint8_t *row = c.codes + at * c.width, *centre = c.centre_codes + slot * c.width;
    constexpr int64_t bytes = 4 * Vec<float>::lanes;
    Ints sum = Ints::broadcast(0), more = sum;
    int64_t f = 0;
    for (; f + 2 * bytes <= c.width; f += 2 * bytes) {
        sum = Ints::dot(Ints::load(row + f), Ints::load(centre + f), sum);
        more = Ints::dot(Ints::load(row + f + bytes), Ints::load(centre + f + bytes), more);
    }
    if (f + bytes <= c.width) {
        sum = Ints::dot(Ints::load(row + f), Ints::load(centre + f), sum);
        f += bytes;
    }
    if (f < c.width) {
        const int64_t n = c.width - f;
        more = Ints::dot(Ints::load(row + f, n), Ints::load(centre + f, n), more);
    }
    const int32_t product = c.bias[slot] + Ints::add(sum, more).total();
    const float *x = c.stats + coarse_stats * at, *y = c.centre_stats + coarse_stats * slot;
    return (x[1] + y[1]) - x[0] * ((2 * y[0]) * (float)product);
}

// Two vectors of coarse rows, turned as in `DenseTile`, four numbers to a lane.
struct CoarseTile {
    using V = Vec<float>;
    static constexpr int rows = 2 * V::lanes;
    const Coarse &coarse;
    float *turned;  // (width / 4, rows), then their stats

    static int64_t numbers(const Coarse &c) { return (c.width / 4 + coarse_stats) * rows; }
    const float *stats(int which) const { return turned + (coarse.width / 4 + which) * rows; }

    // Up to `rows` of them; past the last one it is repeated.
    void load(const int64_t *which, int64_t count) {
        const float *row[rows];
        float *SSK_RESTRICT own = turned + coarse.width / 4 * rows;
        for (int64_t i = 0; i < rows; ++i) {
            const int64_t at = which[least(i, count - 1)];
            row[i] = (const float *)(coarse.codes + at * coarse.width);
            for (int j = 0; j < coarse_stats; ++j)
                own[j * rows + i] = coarse.stats[coarse_stats * at + j];
        }
        for (int64_t f = 0; f < coarse.width / 4; f += V::step) {
            V::transpose(row, f, turned + f * rows, rows);
            V::transpose(row + V::lanes, f, turned + f * rows + V::lanes, rows);
        }
    }

    // The products q r of the centres first .. first + C.
    template <int C> SSK_INLINE void products(int64_t first, Ints (&sum)[C][2]) const {
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
    }

    // |a q - b r|^2 of these centres.
    template <int C> SSK_INLINE void distances(int64_t, int64_t first, V (&square)[C][2]) const {
        Ints sum[C][2];
        products<C>(first, sum);
        SSK_UNROLL
        for (int half = 0; half < 2; ++half) {
            const V scale = V::load(stats(0) + half * V::lanes);
            const V size = V::load(stats(1) + half * V::lanes);
            const V rest = V::load(stats(3) + half * V::lanes);
            SSK_UNROLL
            for (int i = 0; i < C; ++i) {
                const float *centre = coarse.centre_stats + coarse_stats * (first + i);
                const V twice = V::broadcast(2 * centre[0]), norm = V::broadcast(centre[1]);
                const V product = V::mul(scale, V::mul(twice, sum[i][half].numbers()));
                const V both = V::fma(rest, V::broadcast(2 * centre[3]), product);
                square[i][half] = V::sub(V::add(size, norm), both);
            }
        }
    }
};

}  // namespace SSK_ISA
}  // namespace ssk
