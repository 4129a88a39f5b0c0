// `roots`: distances from their squares, in the dtype that is wanted, and the greatest square.
#pragma once
#include "rows.hpp"

namespace ssk {
namespace SSK_ISA {

static constexpr int64_t rooted = 1 << 14;  // numbers in a chunk

template <class T> static void roots_chunk(const void *arguments, int64_t chunk, void *) {
    using V = Vec<double>;
    const Roots &r = *(const Roots *)arguments;
    const int64_t first = chunk * rooted, count = least(rooted, r.count - first);
    const double *SSK_RESTRICT square = r.squares + first;
    T *SSK_RESTRICT out = (T *)r.out + first;
    for (int64_t i = 0; i < count; ++i) out[i] = (T)__builtin_sqrt(square[i]);
    V greatest = V::broadcast(0);
    int64_t i = 0;
    for (; i + V::lanes <= count; i += V::lanes) greatest = V::max(greatest, V::load(square + i));
    double lane[V::lanes], high = 0;
    greatest.store(lane);
    for (int j = 0; j < V::lanes; ++j) high = most(high, lane[j]);
    for (; i < count; ++i) high = most(high, square[i]);
    r.high[chunk] = high;
}

template <class T> static Work roots_work(const Roots *r) {
    return {ceil_div(r->count, rooted), 0, 1.0 * (double)r->count, roots_chunk<T>, r};
}

}  // namespace SSK_ISA
}  // namespace ssk
