// `extent`: the least size of a number that is not 0, and the greatest, in one read. Sizes are
// compared as the bits of floats, which have the same order; infinity and NaN come out greatest.
#pragma once
#include "rows.hpp"

namespace ssk {
namespace SSK_ISA {

static constexpr int64_t extent_numbers = 1 << 18;  // in a chunk

template <class T> struct Bits;
template <> struct Bits<float> { using Type = uint32_t; };
template <> struct Bits<double> { using Type = uint64_t; };

template <class T> static void extent_chunk(const void *arguments, int64_t chunk, void *) {
    using B = typename Bits<T>::Type;
    const Extent &e = *(const Extent *)arguments;
    const int64_t first = chunk * extent_numbers, count = least(extent_numbers, e.count - first);
    const B *SSK_RESTRICT bits = (const B *)e.data + first;
    constexpr B size = (B)~(B)0 >> 1;
    B below = (B)~(B)0, high = 0;  // one below the least: 0 becomes the greatest
    for (int64_t i = 0; i < count; ++i) {
        const B here = bits[i] & size, less = here - 1;
        below = less < below ? less : below;
        high = here > high ? here : high;
    }
    e.below[chunk] = below == (B)~(B)0 ? ~(uint64_t)0 : (uint64_t)below;
    e.high[chunk] = high;
}

template <class T> static Work extent_work(const Extent *e) {
    return {ceil_div(e->count, extent_numbers), 0, 0.1 * (double)e->count, extent_chunk<T>, e};
}

}  // namespace SSK_ISA
}  // namespace ssk
