// How a matrix is read: Dense<T> and Csr<T, I>, made from the same Points; and the distance of one
// row to one centre, by differences in double.
#pragma once
#include "simd.hpp"
#include "table.hpp"

namespace ssk {
namespace SSK_ISA {

static constexpr double infinity = __builtin_huge_val();

template <class A> constexpr SSK_INLINE A least(A a, A b) { return b < a ? b : a; }
template <class A> constexpr SSK_INLINE A most(A a, A b) { return a < b ? b : a; }
constexpr SSK_INLINE int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

SSK_INLINE int64_t row_of(const Points &x, int64_t i) { return x.rows ? x.rows[i] : i; }

template <class T> struct Dense {
    using Value = T;
    static constexpr bool is_dense = true;
    const T *data;
    int64_t d;
    explicit Dense(const Points &x) : data((const T *)x.data), d(x.d) {}
    const T *row(int64_t i) const { return data + i * d; }
    static int64_t entries(const Points &x) { return x.count * x.d; }
};

template <class T, class I> struct Csr {
    using Value = T;
    static constexpr bool is_dense = false;
    const T *data;
    const I *indices, *indptr;
    explicit Csr(const Points &x)
        : data((const T *)x.data), indices((const I *)x.indices), indptr((const I *)x.indptr) {}
    // A guess from the average row: exact only when all rows are asked for.
    static int64_t entries(const Points &x) {
        const int64_t stored = (int64_t)((const I *)x.indptr)[x.n];
        return x.n ? (int64_t)((double)stored / (double)x.n * (double)x.count) : 0;
    }
};

// Sum over features of (x - c)^2, in a fixed order whatever the rows around it. A null x is zero.
template <class A, class B>
static double squared_distance(const A *SSK_RESTRICT x, const B *SSK_RESTRICT c, int64_t d) {
    using V = Vec<double>;
    const V zero = V::broadcast(0);
    V sum[4] = {zero, zero, zero, zero};
    int64_t f = 0;
    for (; f + 4 * V::lanes <= d; f += 4 * V::lanes) {
        SSK_UNROLL
        for (int i = 0; i < 4; ++i) {
            const int64_t g = f + i * V::lanes;
            const V step = V::sub(x ? V::load(x + g) : zero, V::load(c + g));
            sum[i] = V::fma(step, step, sum[i]);
        }
    }
    for (; f + V::lanes <= d; f += V::lanes) {
        const V step = V::sub(x ? V::load(x + f) : zero, V::load(c + f));
        sum[0] = V::fma(step, step, sum[0]);
    }
    double total = 0;
    if (f > 0) {
        double lane[V::lanes];
        V::add(V::add(sum[0], sum[1]), V::add(sum[2], sum[3])).store(lane);
        for (int i = 0; i < V::lanes; ++i) total += lane[i];
    }
    for (; f < d; ++f) {
        const double step = (x ? (double)x[f] : 0.0) - (double)c[f];
        total = scalar_fma(step, step, total);
    }
    return total;
}

}  // namespace SSK_ISA
}  // namespace ssk
