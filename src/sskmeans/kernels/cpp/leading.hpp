// `look`: coarse rows as seen in a few directions.
//
// Let B have directions as columns, none of which, nor any mixture, lengthens a row. Then
// |x - c|^2 = |B'(x - c)|^2 + |R (x - c)|^2 for some R, and since |R (x - c)| is no less than the
// difference of |R x| and |R c|, the coordinates B'x and one number more, the rest |R x|, make
// rows that are no further apart than the whole ones. Both rows and directions are codes here, so
// the coordinates are sums without rounding.
#pragma once
#include "distances.hpp"
#include "coarse.hpp"

namespace ssk {
namespace SSK_ISA {

static constexpr int64_t looked_rows = 256;  // in a chunk

// What directions see of a tile of rows, one number a lane.
struct Coordinates {
    using V = Vec<float>;
    CoarseTile tile;
    float *seen;  // (directions, rows)

    template <int C> SSK_INLINE void distances(int64_t, int64_t first, V (&number)[C][2]) const {
        Ints sum[C][2];
        tile.products<C>(first, sum);
        for (int i = 0; i < C; ++i)
            for (int half = 0; half < 2; ++half) number[i][half] = sum[i][half].numbers();
    }
    template <int C> SSK_INLINE void take(int64_t, int64_t first, const V (&number)[C][2]) {
        for (int i = 0; i < C; ++i)
            for (int half = 0; half < 2; ++half)
                number[i][half].store(seen + (first + i) * CoarseTile::rows + half * V::lanes);
    }
};

// One row's code in the directions, and what they do not see of it.
static void look_at(const Look &l, int64_t at, const float *seen, double *step) {
    const float *whole = l.seen.stats + coarse_stats * at;
    float *stats = l.stats + coarse_stats * at;
    const double unit = (double)whole[0] * l.scale, size = (double)whole[1];
    double largest = 0, square = 0;
    for (int64_t j = 0; j < l.directions; ++j) {
        step[j] = unit * (double)seen[j * CoarseTile::rows];
        largest = most(largest, most(step[j], -step[j]));
        square += step[j] * step[j];
    }
    encode(step, l.directions, largest, l.levels, l.bias, l.width, l.codes + at * l.width, stats);
    const double rest = __builtin_sqrt(most(size - square, 0.0));
    // Roundings of the size, and of a product beyond 2^24, say no more of the rest than this.
    const double blur = 0x1p-20 * size, off = __builtin_sqrt(blur);
    stats[1] += (float)(rest * rest);
    stats[2] += (float)((rest > off ? blur / rest : off) * (1 + 0x1p-20));
    stats[3] = (float)rest;
}

static void look_chunk(const void *arguments, int64_t chunk, void *scratch) {
    const Look &l = *(const Look *)arguments;
    int64_t at[looked_rows];
    const int64_t first = chunk * looked_rows, count = least(looked_rows, l.count - first);
    for (int64_t i = 0; i < count; ++i) at[i] = first + i;
    double *step = (double *)scratch;
    float *space = (float *)(step + l.directions);
    Coordinates view = {{l.seen, space}, space + CoarseTile::numbers(l.seen)};
    constexpr int together = Vec<float>::centres;
    for (int64_t row = 0; row < count; row += CoarseTile::rows) {
        view.tile.load(at + row, count - row);
        for (int64_t j = 0; j < l.directions; j += together)
            group<together>((int)least<int64_t>(together, l.directions - j), view, view, 1, j);
        for (int64_t i = row; i < least(row + CoarseTile::rows, count); ++i)
            look_at(l, first + i, view.seen + (i - row), step);
    }
}

static Work look_work(const Look *l) {
    const int64_t floats = CoarseTile::numbers(l->seen) + l->directions * CoarseTile::rows;
    const size_t scratch = (size_t)l->directions * sizeof(double) + (size_t)floats * sizeof(float);
    const double cost = 0.01 * (double)l->count * (double)(l->seen.width + 64) *
                        (double)l->directions;
    return {ceil_div(l->count, looked_rows), scratch, cost, look_chunk, l};
}

}  // namespace SSK_ISA
}  // namespace ssk
