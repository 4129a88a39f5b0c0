// The distance of one row to one centre in the dtype of the data, in two orders of addition.
#pragma once
#include "rows.hpp"

namespace ssk {
namespace SSK_ISA {

// (x - c)^2 with lanes along the features: fast, and within the relative error of `nearest`.
template <class T> static T pair_square(const T *SSK_RESTRICT x, const T *SSK_RESTRICT c, int64_t d) {
    using V = Vec<T>;
    V sum[4] = {V::broadcast(0), V::broadcast(0), V::broadcast(0), V::broadcast(0)};
    int64_t f = 0;
    for (; f + 4 * V::lanes <= d; f += 4 * V::lanes) {
        SSK_UNROLL
        for (int i = 0; i < 4; ++i) {
            const V step = V::sub(V::load(x + f + i * V::lanes), V::load(c + f + i * V::lanes));
            sum[i] = V::fma(step, step, sum[i]);
        }
    }
    for (; f + V::lanes <= d; f += V::lanes) {
        const V step = V::sub(V::load(x + f), V::load(c + f));
        sum[0] = V::fma(step, step, sum[0]);
    }
    if (f < d) {
        const V step = V::sub(V::load(x + f, d - f), V::load(c + f, d - f));
        sum[1] = V::fma(step, step, sum[1]);
    }
    return V::add(V::add(sum[0], sum[1]), V::add(sum[2], sum[3])).total();
}

// The bits that `nearest` compares: one chain of additions, as a lane of a tile has it.
template <class T> static T tile_square(const T *x, const T *c, int64_t d) {
    T sum = 0;
    for (int64_t f = 0; f < d; ++f) sum = scalar_fma(x[f] - c[f], x[f] - c[f], sum);
    return sum;
}

}  // namespace SSK_ISA
}  // namespace ssk
