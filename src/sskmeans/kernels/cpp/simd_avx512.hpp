// Vec for AVX-512: 32 registers, so a tile is 2 vectors of rows by 8 centres.
#pragma once
#include <immintrin.h>

namespace ssk {
namespace SSK_ISA {

template <class T> struct Vec;

template <> struct Vec<float> {
    static constexpr int lanes = 16, centres = 8, step = 4;
    __m512 v;
    static SSK_INLINE Vec broadcast(float x) { return {_mm512_set1_ps(x)}; }
    static SSK_INLINE Vec load(const float *p) { return {_mm512_loadu_ps(p)}; }
    static SSK_INLINE Vec load(const float *p, int64_t n) {
        return {_mm512_maskz_loadu_ps((__mmask16)((1u << n) - 1), p)};
    }
    SSK_INLINE void store(float *p) const { _mm512_storeu_ps(p, v); }
    static SSK_INLINE Vec add(Vec a, Vec b) { return {_mm512_add_ps(a.v, b.v)}; }
    static SSK_INLINE Vec sub(Vec a, Vec b) { return {_mm512_sub_ps(a.v, b.v)}; }
    static SSK_INLINE Vec mul(Vec a, Vec b) { return {_mm512_mul_ps(a.v, b.v)}; }
    static SSK_INLINE Vec fma(Vec a, Vec b, Vec c) { return {_mm512_fmadd_ps(a.v, b.v, c.v)}; }
    static SSK_INLINE Vec min(Vec a, Vec b) { return {_mm512_min_ps(a.v, b.v)}; }
    static SSK_INLINE Vec max(Vec a, Vec b) { return {_mm512_max_ps(a.v, b.v)}; }
    static SSK_INLINE Vec select_less(Vec a, Vec b, Vec yes, Vec no) {
        return {_mm512_mask_blend_ps(_mm512_cmp_ps_mask(a.v, b.v, _CMP_LT_OQ), no.v, yes.v)};
    }
    SSK_INLINE float total() const { return _mm512_reduce_add_ps(v); }
    static SSK_INLINE uint32_t not_greater(Vec a, Vec b) {
        return _mm512_cmp_ps_mask(a.v, b.v, _CMP_LE_OQ);
    }
    static SSK_INLINE __m512 four_rows(const float *const *rows, int64_t f, int i) {
        __m512 q = _mm512_castps128_ps512(_mm_loadu_ps(rows[i] + f));
        q = _mm512_insertf32x4(q, _mm_loadu_ps(rows[i + 4] + f), 1);
        q = _mm512_insertf32x4(q, _mm_loadu_ps(rows[i + 8] + f), 2);
        return _mm512_insertf32x4(q, _mm_loadu_ps(rows[i + 12] + f), 3);
    }
    static SSK_INLINE void transpose(const float *const *rows, int64_t f, float *out, int stride) {
        __m512 a = four_rows(rows, f, 0), b = four_rows(rows, f, 1);
        __m512 c = four_rows(rows, f, 2), d = four_rows(rows, f, 3);
        __m512 ab = _mm512_unpacklo_ps(a, b), AB = _mm512_unpackhi_ps(a, b);
        __m512 cd = _mm512_unpacklo_ps(c, d), CD = _mm512_unpackhi_ps(c, d);
        _mm512_storeu_ps(out, _mm512_shuffle_ps(ab, cd, 0x44));
        _mm512_storeu_ps(out + stride, _mm512_shuffle_ps(ab, cd, 0xEE));
        _mm512_storeu_ps(out + 2 * stride, _mm512_shuffle_ps(AB, CD, 0x44));
        _mm512_storeu_ps(out + 3 * stride, _mm512_shuffle_ps(AB, CD, 0xEE));
    }
};

struct Ints {
#if defined(SSK_VNNI)
    static constexpr int32_t levels = 127;
#else
    static constexpr int32_t levels = 63;  // of b in `dot`: two products must fit into 16 bits
#endif
    __m512i v;
    static SSK_INLINE Ints broadcast(int32_t x) { return {_mm512_set1_epi32(x)}; }
    static SSK_INLINE Ints broadcast(const uint8_t *four) {
        int32_t x;
        std::memcpy(&x, four, sizeof(x));
        return broadcast(x);
    }
    static SSK_INLINE Ints load(const void *bits) { return {_mm512_loadu_si512(bits)}; }
    static SSK_INLINE Ints load(const void *bits, int64_t bytes) {
        return {_mm512_maskz_loadu_epi8(((__mmask64)1 << bytes) - 1, bits)};
    }
    static SSK_INLINE Ints add(Ints a, Ints b) { return {_mm512_add_epi32(a.v, b.v)}; }
    SSK_INLINE int32_t total() const { return _mm512_reduce_add_epi32(v); }
    SSK_INLINE Vec<float> numbers() const { return {_mm512_cvtepi32_ps(v)}; }
    static SSK_INLINE Ints dot(Ints a, Ints b, Ints sum) {
#if defined(SSK_VNNI)
        // As text, since GCC copies every sum before and after the intrinsic.
        asm("vpdpbusd %2, %1, %0" : "+v"(sum.v) : "v"(a.v), "v"(b.v));
        return sum;
#else
        const __m512i pairs = _mm512_maddubs_epi16(a.v, b.v);
        return {_mm512_add_epi32(sum.v, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)))};
#endif
    }
};

template <> struct Vec<double> {
    static constexpr int lanes = 8, centres = 8, step = 2;
    __m512d v;
    static SSK_INLINE Vec broadcast(double x) { return {_mm512_set1_pd(x)}; }
    static SSK_INLINE Vec load(const double *p) { return {_mm512_loadu_pd(p)}; }
    static SSK_INLINE Vec load(const float *p) { return {_mm512_cvtps_pd(_mm256_loadu_ps(p))}; }
    static SSK_INLINE Vec load(const double *p, int64_t n) {
        return {_mm512_maskz_loadu_pd((__mmask8)((1u << n) - 1), p)};
    }
    static SSK_INLINE Vec load(const float *p, int64_t n) {
        return {_mm512_cvtps_pd(_mm256_maskz_loadu_ps((__mmask8)((1u << n) - 1), p))};
    }
    SSK_INLINE void store(double *p) const { _mm512_storeu_pd(p, v); }
    static SSK_INLINE Vec add(Vec a, Vec b) { return {_mm512_add_pd(a.v, b.v)}; }
    static SSK_INLINE Vec sub(Vec a, Vec b) { return {_mm512_sub_pd(a.v, b.v)}; }
    static SSK_INLINE Vec mul(Vec a, Vec b) { return {_mm512_mul_pd(a.v, b.v)}; }
    static SSK_INLINE Vec fma(Vec a, Vec b, Vec c) { return {_mm512_fmadd_pd(a.v, b.v, c.v)}; }
    static SSK_INLINE Vec min(Vec a, Vec b) { return {_mm512_min_pd(a.v, b.v)}; }
    static SSK_INLINE Vec max(Vec a, Vec b) { return {_mm512_max_pd(a.v, b.v)}; }
    static SSK_INLINE Vec select_less(Vec a, Vec b, Vec yes, Vec no) {
        return {_mm512_mask_blend_pd(_mm512_cmp_pd_mask(a.v, b.v, _CMP_LT_OQ), no.v, yes.v)};
    }
    SSK_INLINE double total() const { return _mm512_reduce_add_pd(v); }
    static SSK_INLINE __m512d four_rows(const double *const *rows, int64_t f, int i) {
        __m512d q = _mm512_castpd128_pd512(_mm_loadu_pd(rows[i] + f));
        q = _mm512_insertf64x2(q, _mm_loadu_pd(rows[i + 2] + f), 1);
        q = _mm512_insertf64x2(q, _mm_loadu_pd(rows[i + 4] + f), 2);
        return _mm512_insertf64x2(q, _mm_loadu_pd(rows[i + 6] + f), 3);
    }
    static SSK_INLINE void transpose(const double *const *rows, int64_t f, double *out,
                                     int stride) {
        __m512d a = four_rows(rows, f, 0), b = four_rows(rows, f, 1);
        _mm512_storeu_pd(out, _mm512_unpacklo_pd(a, b));
        _mm512_storeu_pd(out + stride, _mm512_unpackhi_pd(a, b));
    }
};

SSK_INLINE double scalar_fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
SSK_INLINE float scalar_fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
SSK_INLINE double product_error(double a, double b, double product) {
    return __builtin_fma(a, b, -product);
}

}  // namespace SSK_ISA
}  // namespace ssk
