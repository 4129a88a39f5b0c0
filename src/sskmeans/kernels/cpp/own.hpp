// `own`: the distance of each row to the one centre its label names. Bound by memory, so the rows
// are read once and every feature difference is taken in double. And `pack`, which lays centres
// out for CSR rows: a feature's numbers for all centres side by side, and their squared lengths.
#pragma once
#include "csr_tile.hpp"

namespace ssk {
namespace SSK_ISA {

static constexpr int64_t own_rows = 4096, pack_features = 1024;

template <class T>
SSK_INLINE double own_distance(const Dense<T> &x, const Pairs &p, int64_t i, int64_t j, double *) {
    return squared_distance(x.row(i), (const T *)p.centres + j * p.x.d, p.x.d);
}

// The same chain as one lane of `products`, so the same bits as `distances` gives this pair.
template <class T, class I>
SSK_INLINE double own_distance(const Csr<T, I> &x, const Pairs &p, int64_t i, int64_t j,
                               double *dense) {
    const CsrRow<T, I> row(x, i);
    const T *centre = (const T *)p.centres + j * p.x.d;
    double product = 0;
    for (int64_t e = 0; e < row.stored; ++e)
        product = scalar_fma((double)row.values[e], (double)centre[row.columns[e]], product);
    const double norms = row.size + p.norms[j], expanded = norms - 2 * product;
    if (!(expanded < cancelled * norms)) return expanded;
    row.scatter(dense);
    const double exact = squared_distance(dense, centre, p.x.d);
    row.unscatter(dense);
    return exact;
}

template <class Matrix> static void own_chunk(const void *arguments, int64_t chunk, void *scratch) {
    const Pairs &p = *(const Pairs *)arguments;
    const Matrix x(p.x);
    const int64_t end = least(p.x.count, (chunk + 1) * own_rows);
    for (int64_t i = chunk * own_rows; i < end; ++i)
        p.best[i] = own_distance(x, p, row_of(p.x, i), p.labels_in[i], (double *)scratch);
}

template <class Matrix> static Work own_work(const Pairs *p) {
    const bool sparse = p->x.indptr;
    return {ceil_div(p->x.count, own_rows), sparse ? (size_t)p->x.d * sizeof(double) : 0,
            0.3 * (double)Matrix::entries(p->x) + 5.0 * (double)p->x.count, own_chunk<Matrix>, p};
}

// Chunks of features, then one more chunk for each block of centres' lengths.
template <class T> static void pack_chunk(const void *arguments, int64_t chunk, void *) {
    const Pairs &p = *(const Pairs *)arguments;
    const T *centres = (const T *)p.centres;
    const int64_t d = p.x.d, width = padded_centres(p.k);
    const int64_t feature_chunks = p.packed ? ceil_div(d, pack_features) : 0;
    if (chunk >= feature_chunks) {
        const int64_t j = chunk - feature_chunks;
        p.norms[j] = squared_distance((const T *)nullptr, centres + j * d, d);
        return;
    }
    const int64_t end = least(d, (chunk + 1) * pack_features);
    for (int64_t f = chunk * pack_features; f < end; ++f)
        for (int64_t j = 0; j < width; ++j)
            ((T *)p.packed)[f * width + j] = j < p.k ? centres[j * d + f] : (T)0;
}

template <class T> static Work pack_work(const Pairs *p) {
    const int64_t feature_chunks = p->packed ? ceil_div(p->x.d, pack_features) : 0;
    return {feature_chunks + p->k, 0, 2.0 * (double)p->x.d * (double)p->k, pack_chunk<T>, p};
}

}  // namespace SSK_ISA
}  // namespace ssk
