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

// Asks for memory that is read soon. No fault where there is none.
SSK_INLINE void prefetch(const void *from, int64_t bytes) {
    for (int64_t b = 0; b < bytes; b += 64) __builtin_prefetch((const char *)from + b);
}
template <class T> SSK_INLINE void prefetch_row(const Dense<T> &x, int64_t i) {
    prefetch(x.row(i), x.d * (int64_t)sizeof(T));
}
template <class T, class I> SSK_INLINE void prefetch_row(const Csr<T, I> &, int64_t) {}

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
    for (; f < d; f += V::lanes) {
        const int64_t n = d - f;
        const V left = !x ? zero : n < V::lanes ? V::load(x + f, n) : V::load(x + f);
        const V step = V::sub(left, n < V::lanes ? V::load(c + f, n) : V::load(c + f));
        sum[0] = V::fma(step, step, sum[0]);
    }
    return V::add(V::add(sum[0], sum[1]), V::add(sum[2], sum[3])).total();
}

}  // namespace SSK_ISA
}  // namespace ssk
