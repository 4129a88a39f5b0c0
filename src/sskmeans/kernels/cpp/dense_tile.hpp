// Distances of dense rows to centres, by differences in the dtype of the data.
//
// A tile is two vectors of rows, turned so that a vector holds one feature of many rows; centres
// are read where they lie, one number broadcast to all lanes. So neither the nearest centre nor
// the second nearest needs any work across lanes, whatever k, and turning a row costs little
// because it is done once for all centres. Two vectors of rows by eight centres fill the
// registers of AVX-512: subtractions and fused multiply-adds go to different ports, which makes a
// sum of squared differences as fast as a scalar product where both are wide.
#pragma once
#include "rows.hpp"

namespace ssk {
namespace SSK_ISA {

template <class T> struct DenseTile {
    using Number = T;
    using V = Vec<T>;
    static constexpr int rows = 2 * V::lanes;
    const Pairs &pairs;
    const T *centres;
    T *turned;  // (tiles, d, rows)

    static int64_t numbers(const Pairs &p) { return p.x.d * rows; }  // in one tile
    static int64_t zeroed(const Pairs &) { return 0; }
    static double cost(const Pairs &p) {
        return 0.04 * (double)p.x.count * (double)(p.k + 2) * (double)(p.x.d + 4);
    }
    DenseTile(const Pairs &p, double *, T *space)
        : pairs(p), centres((const T *)p.centres), turned(space) {}

    // Past the last row the last one is repeated; nobody reads those lanes.
    void load(int64_t tile, int64_t first) {
        const Dense<T> x(pairs.x);
        const T *row[rows];
        for (int i = 0; i < rows; ++i)
            row[i] = x.row(row_of(pairs.x, least(first + i, pairs.x.count - 1)));
        if (pairs.x.rows)  // rows of a list lie anywhere: ask for those of the next tile
            for (int64_t i = first + rows; i < least(first + 2 * rows, pairs.x.count); ++i)
                prefetch_row(x, pairs.x.rows[i]);
        T *out = turned + tile * numbers(pairs);
        int64_t f = 0;
        for (; f + V::step <= x.d; f += V::step) {
            V::transpose(row, f, out + f * rows, rows);
            V::transpose(row + V::lanes, f, out + f * rows + V::lanes, rows);
        }
        for (; f < x.d; ++f)
            for (int i = 0; i < rows; ++i) out[f * rows + i] = row[i][f];
    }

    // Centres first .. first + C against one tile.
    template <int C> SSK_INLINE void distances(int64_t tile, int64_t first, V (&sum)[C][2]) const {
        const int64_t d = pairs.x.d;
        const T *SSK_RESTRICT x = turned + tile * numbers(pairs);
        const T *c[C];
        SSK_UNROLL
        for (int i = 0; i < C; ++i) {
            c[i] = centres + (first + i) * d;
            sum[i][0] = sum[i][1] = V::broadcast(0);
        }
        for (int64_t f = 0; f < d; ++f) {
            const V left = V::load(x + f * rows), right = V::load(x + f * rows + V::lanes);
            SSK_UNROLL
            for (int i = 0; i < C; ++i) {
                const V centre = V::broadcast(c[i][f]);
                const V a = V::sub(left, centre), b = V::sub(right, centre);
                sum[i][0] = V::fma(a, a, sum[i][0]);
                sum[i][1] = V::fma(b, b, sum[i][1]);
            }
        }
    }
};

}  // namespace SSK_ISA
}  // namespace ssk
