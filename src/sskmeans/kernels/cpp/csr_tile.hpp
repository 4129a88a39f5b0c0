// Distances of CSR rows to centres: |x|^2 - 2xc + |c|^2 in double, over the stored entries only.
//
// The expanded form loses the digits that |x|^2 + |c|^2 and 2xc share. A pair whose distance is
// below 2^-10 of the norms is computed again by differences over all features, with the row laid
// out in a dense scratch; so a row that equals a centre gets exactly 0.
#pragma once
#include "rows.hpp"

namespace ssk {
namespace SSK_ISA {

static constexpr double cancelled = 1.0 / 1024;

SSK_INLINE int64_t padded_centres(int64_t k) {
    return ceil_div(k, Vec<double>::lanes) * Vec<double>::lanes;
}

// The room that a feature's numbers take, in doubles.
template <class T> static int64_t packed_room(int64_t k) {
    return padded_centres(k) * (int64_t)sizeof(T) / (int64_t)sizeof(double);
}

template <class T, class I> struct CsrRow {
    const T *values;
    const I *columns;
    int64_t stored;
    double size;  // |x|^2

    CsrRow(const Csr<T, I> &x, int64_t i)
        : values(x.data + x.indptr[i]), columns(x.indices + x.indptr[i]),
          stored((int64_t)x.indptr[i + 1] - (int64_t)x.indptr[i]), size(0) {
        for (int64_t e = 0; e < stored; ++e)
            size = scalar_fma((double)values[e], (double)values[e], size);
    }
    void scatter(double *dense) const {
        for (int64_t e = 0; e < stored; ++e) dense[columns[e]] = (double)values[e];
    }
    void unscatter(double *dense) const {
        for (int64_t e = 0; e < stored; ++e) dense[columns[e]] = 0;
    }
};

// Products with B vectors of centres at once: their sums stay in registers.
template <int B, class T, class I>
static SSK_INLINE void products(const CsrRow<T, I> &x, const T *packed, int64_t width,
                                double *out) {
    using V = Vec<double>;
    V sum[B];
    SSK_UNROLL
    for (int b = 0; b < B; ++b) sum[b] = V::broadcast(0);
    for (int64_t e = 0; e < x.stored; ++e) {
        const T *c = packed + (int64_t)x.columns[e] * width;
        const V value = V::broadcast((double)x.values[e]);
        SSK_UNROLL
        for (int b = 0; b < B; ++b) sum[b] = V::fma(value, V::load(c + b * V::lanes), sum[b]);
    }
    SSK_UNROLL
    for (int b = 0; b < B; ++b) sum[b].store(out + b * V::lanes);
}

// B vectors of centres, or as many as there are: every number has its own unrolled code.
template <int B, class T, class I>
static void products_of(int64_t vectors, const CsrRow<T, I> &x, const T *packed, int64_t width,
                        double *out) {
    if (vectors < B) return products_of<B - 1 ? B - 1 : 1>(vectors, x, packed, width, out);
    products<B>(x, packed, width, out);
}

// One row to all centres. `dense` is zero before and after.
template <class T, class I>
static void csr_distances(const Pairs &p, int64_t i, double *dense, double *out) {
    const CsrRow<T, I> x(Csr<T, I>(p.x), i);
    const int64_t width = padded_centres(p.k), lanes = Vec<double>::lanes;
    const T *packed = (const T *)p.packed;
    for (int64_t j = 0; j < width; j += 8 * lanes)
        products_of<8>(least<int64_t>(8, (width - j) / lanes), x, packed + j, width, out + j);
    bool laid_out = false;
    for (int64_t j = 0; j < p.k; ++j) {
        const double norms = x.size + p.norms[j];
        out[j] = norms - 2 * out[j];
        if (out[j] < cancelled * norms) {
            if (!laid_out) x.scatter(dense);
            laid_out = true;
            out[j] = squared_distance(dense, (const T *)p.centres + j * p.x.d, p.x.d);
        }
    }
    if (laid_out) x.unscatter(dense);
}

template <class T, class I> struct CsrTile {
    using Number = double;
    using V = Vec<double>;
    static constexpr int rows = 2 * V::lanes;
    const Pairs &pairs;
    double *dense;   // (d,), zero
    double *plain;   // (rows, padded k)
    double *turned;  // (tiles, padded k, rows)

    static int64_t numbers(const Pairs &p) { return padded_centres(p.k) * rows; }  // in one tile
    static int64_t zeroed(const Pairs &p) { return p.x.d + numbers(p); }
    static double cost(const Pairs &p) {
        const double entries = (double)Csr<T, I>::entries(p.x) + 4.0 * (double)p.x.count;
        return 0.1 * entries * (double)(p.k + 8);
    }
    CsrTile(const Pairs &p, double *zeros, double *space)
        : pairs(p), dense(zeros), plain(zeros + p.x.d), turned(space) {}

    void load(int64_t tile, int64_t first) {
        const int64_t width = padded_centres(pairs.k);
        const double *row[rows];
        for (int i = 0; i < rows; ++i) {
            row[i] = plain + i * width;
            if (first + i < pairs.x.count)
                csr_distances<T, I>(pairs, row_of(pairs.x, first + i), dense, plain + i * width);
        }
        double *out = turned + tile * numbers(pairs);
        for (int64_t j = 0; j < width; j += V::step) {
            V::transpose(row, j, out + j * rows, rows);
            V::transpose(row + V::lanes, j, out + j * rows + V::lanes, rows);
        }
    }

    template <int C> SSK_INLINE void distances(int64_t tile, int64_t first, V (&sum)[C][2]) const {
        const double *from = turned + tile * numbers(pairs) + first * rows;
        for (int i = 0; i < C; ++i) {
            sum[i][0] = V::load(from + i * rows);
            sum[i][1] = V::load(from + i * rows + V::lanes);
        }
    }
};

}  // namespace SSK_ISA
}  // namespace ssk
