// Vec<float> and Vec<double>: the few vector operations the kernels need.
//
// lanes  numbers in one vector          centres  how many centres a tile holds in registers
// step   features that one `transpose` turns: `lanes` rows become `step` vectors of one feature
//
// Ints holds whole numbers in the lanes of a Vec<float>; `dot` adds the products of the four
// unsigned bytes in each lane of one with the four signed bytes of another, which must not exceed
// `levels`: with larger ones instructions before VNNI would saturate.
//
// `load(p, n)` reads the first n numbers, fewer than `lanes`, and fills up with zeros (of Ints, n
// bytes, a multiple of sixteen); `total` adds the lanes up. All other operations act lane by lane,
// and `scalar_fma` rounds as one lane of `fma` does, so a result never depends on its place in a
// vector. `product_error` is a * b less the rounded product: exact,
// unless it is too small for a double.
#pragma once
#include <cstdint>
#include <cstring>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#include <math.h>
#define __builtin_sqrt sqrt
#define __builtin_prefetch(place) ((void)(place))
static __forceinline int __builtin_ctz(uint32_t bits) {
    unsigned long first;
    _BitScanForward(&first, bits);
    return (int)first;
}
static __forceinline int __builtin_popcount(uint32_t bits) {  // __popcnt is not on every processor
    int count = 0;
    for (; bits; bits &= bits - 1) ++count;
    return count;
}
#endif

#if defined(_MSC_VER)
#define SSK_INLINE __forceinline
#define SSK_RESTRICT __restrict
#define SSK_UNROLL
#else
#define SSK_INLINE inline __attribute__((always_inline))
#define SSK_RESTRICT __restrict__
#define SSK_UNROLL _Pragma("GCC unroll 16")
#endif

#if defined(SSK_AVX512)
#include "simd_avx512.hpp"
#elif defined(SSK_AVX2)
#include "simd_avx2.hpp"
#else
#include "simd_generic.hpp"
#endif

namespace ssk {
namespace SSK_ISA {

// The slot number as the bits of a vector lane: it travels through `select` untouched.
template <class T> SSK_INLINE T slot_bits(int64_t slot) {
    T bits;
    if constexpr (sizeof(T) == 4) {
        int32_t narrow = (int32_t)slot;
        std::memcpy(&bits, &narrow, sizeof(T));
    } else {
        std::memcpy(&bits, &slot, sizeof(T));
    }
    return bits;
}

template <class T> SSK_INLINE int32_t slot_of(T bits) {
    if constexpr (sizeof(T) == 4) {
        int32_t slot;
        std::memcpy(&slot, &bits, sizeof(slot));
        return slot;
    } else {
        int64_t slot;
        std::memcpy(&slot, &bits, sizeof(slot));
        return (int32_t)slot;
    }
}

}  // namespace SSK_ISA
}  // namespace ssk
