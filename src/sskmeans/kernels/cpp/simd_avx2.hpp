// Vec for AVX2 with FMA: 16 registers, so a tile is 2 vectors of rows by 4 centres.
#pragma once
#include <immintrin.h>

namespace ssk {
namespace SSK_ISA {

template <class T> struct Vec;

// A mask of the first n lanes, from where it begins in a row of ones and zeros.
static const int32_t masks[16] = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0};
SSK_INLINE __m256i first_of_8(int64_t n) {
    return _mm256_loadu_si256((const __m256i *)(masks + 8 - n));
}
SSK_INLINE __m128i first_of_4(int64_t n) { return _mm_loadu_si128((const __m128i *)(masks + 8 - n)); }

template <> struct Vec<float> {
    static constexpr int lanes = 8, centres = 4, step = 4;
    __m256 v;
    static SSK_INLINE Vec broadcast(float x) { return {_mm256_set1_ps(x)}; }
    static SSK_INLINE Vec load(const float *p) { return {_mm256_loadu_ps(p)}; }
    static SSK_INLINE Vec load(const float *p, int64_t n) {
        return {_mm256_maskload_ps(p, first_of_8(n))};
    }
    SSK_INLINE void store(float *p) const { _mm256_storeu_ps(p, v); }
    static SSK_INLINE Vec add(Vec a, Vec b) { return {_mm256_add_ps(a.v, b.v)}; }
    static SSK_INLINE Vec sub(Vec a, Vec b) { return {_mm256_sub_ps(a.v, b.v)}; }
    static SSK_INLINE Vec mul(Vec a, Vec b) { return {_mm256_mul_ps(a.v, b.v)}; }
    static SSK_INLINE Vec fma(Vec a, Vec b, Vec c) { return {_mm256_fmadd_ps(a.v, b.v, c.v)}; }
    static SSK_INLINE Vec min(Vec a, Vec b) { return {_mm256_min_ps(a.v, b.v)}; }
    static SSK_INLINE Vec max(Vec a, Vec b) { return {_mm256_max_ps(a.v, b.v)}; }
    static SSK_INLINE Vec select_less(Vec a, Vec b, Vec yes, Vec no) {
        return {_mm256_blendv_ps(no.v, yes.v, _mm256_cmp_ps(a.v, b.v, _CMP_LT_OQ))};
    }
    SSK_INLINE float total() const {
        const __m128 four = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
        const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
        return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
    }
    static SSK_INLINE uint32_t not_greater(Vec a, Vec b) {
        return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(a.v, b.v, _CMP_LE_OQ));
    }
    static SSK_INLINE __m256 two_rows(const float *const *rows, int64_t f, int i) {
        __m256 q = _mm256_castps128_ps256(_mm_loadu_ps(rows[i] + f));
        return _mm256_insertf128_ps(q, _mm_loadu_ps(rows[i + 4] + f), 1);
    }
    static SSK_INLINE void transpose(const float *const *rows, int64_t f, float *out, int stride) {
        __m256 a = two_rows(rows, f, 0), b = two_rows(rows, f, 1);
        __m256 c = two_rows(rows, f, 2), d = two_rows(rows, f, 3);
        __m256 ab = _mm256_unpacklo_ps(a, b), AB = _mm256_unpackhi_ps(a, b);
        __m256 cd = _mm256_unpacklo_ps(c, d), CD = _mm256_unpackhi_ps(c, d);
        _mm256_storeu_ps(out, _mm256_shuffle_ps(ab, cd, 0x44));
        _mm256_storeu_ps(out + stride, _mm256_shuffle_ps(ab, cd, 0xEE));
        _mm256_storeu_ps(out + 2 * stride, _mm256_shuffle_ps(AB, CD, 0x44));
        _mm256_storeu_ps(out + 3 * stride, _mm256_shuffle_ps(AB, CD, 0xEE));
    }
};

struct Ints {
    static constexpr int32_t levels = 63;  // of b in `dot`: two products must fit into 16 bits
    __m256i v;
    static SSK_INLINE Ints broadcast(int32_t x) { return {_mm256_set1_epi32(x)}; }
    static SSK_INLINE Ints broadcast(const uint8_t *four) {
        int32_t x;
        std::memcpy(&x, four, sizeof(x));
        return broadcast(x);
    }
    static SSK_INLINE Ints load(const void *bits) {
        return {_mm256_loadu_si256((const __m256i *)bits)};
    }
    // Sixteen bytes are the only part there is: rows of codes are a multiple of that.
    static SSK_INLINE Ints load(const void *bits, int64_t) {
        return {_mm256_zextsi128_si256(_mm_loadu_si128((const __m128i *)bits))};
    }
    static SSK_INLINE Ints add(Ints a, Ints b) { return {_mm256_add_epi32(a.v, b.v)}; }
    SSK_INLINE int32_t total() const {
        int32_t lane[8], sum = 0;
        _mm256_storeu_si256((__m256i *)lane, v);
        for (int i = 0; i < 8; ++i) sum += lane[i];
        return sum;
    }
    SSK_INLINE Vec<float> numbers() const { return {_mm256_cvtepi32_ps(v)}; }
    static SSK_INLINE Ints dot(Ints a, Ints b, Ints sum) {
        const __m256i pairs = _mm256_maddubs_epi16(a.v, b.v);
        return {_mm256_add_epi32(sum.v, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))};
    }
};

template <> struct Vec<double> {
    static constexpr int lanes = 4, centres = 4, step = 2;
    __m256d v;
    static SSK_INLINE Vec broadcast(double x) { return {_mm256_set1_pd(x)}; }
    static SSK_INLINE Vec load(const double *p) { return {_mm256_loadu_pd(p)}; }
    static SSK_INLINE Vec load(const float *p) { return {_mm256_cvtps_pd(_mm_loadu_ps(p))}; }
    static SSK_INLINE Vec load(const double *p, int64_t n) {
        return {_mm256_maskload_pd(p, _mm256_cvtepi32_epi64(first_of_4(n)))};
    }
    static SSK_INLINE Vec load(const float *p, int64_t n) {
        return {_mm256_cvtps_pd(_mm_maskload_ps(p, first_of_4(n)))};
    }
    SSK_INLINE void store(double *p) const { _mm256_storeu_pd(p, v); }
    static SSK_INLINE Vec add(Vec a, Vec b) { return {_mm256_add_pd(a.v, b.v)}; }
    static SSK_INLINE Vec sub(Vec a, Vec b) { return {_mm256_sub_pd(a.v, b.v)}; }
    static SSK_INLINE Vec mul(Vec a, Vec b) { return {_mm256_mul_pd(a.v, b.v)}; }
    static SSK_INLINE Vec fma(Vec a, Vec b, Vec c) { return {_mm256_fmadd_pd(a.v, b.v, c.v)}; }
    static SSK_INLINE Vec min(Vec a, Vec b) { return {_mm256_min_pd(a.v, b.v)}; }
    static SSK_INLINE Vec max(Vec a, Vec b) { return {_mm256_max_pd(a.v, b.v)}; }
    static SSK_INLINE Vec select_less(Vec a, Vec b, Vec yes, Vec no) {
        return {_mm256_blendv_pd(no.v, yes.v, _mm256_cmp_pd(a.v, b.v, _CMP_LT_OQ))};
    }
    SSK_INLINE double total() const {
        const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));
        return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
    }
    static SSK_INLINE __m256d two_rows(const double *const *rows, int64_t f, int i) {
        __m256d q = _mm256_castpd128_pd256(_mm_loadu_pd(rows[i] + f));
        return _mm256_insertf128_pd(q, _mm_loadu_pd(rows[i + 2] + f), 1);
    }
    static SSK_INLINE void transpose(const double *const *rows, int64_t f, double *out,
                                     int stride) {
        __m256d a = two_rows(rows, f, 0), b = two_rows(rows, f, 1);
        _mm256_storeu_pd(out, _mm256_unpacklo_pd(a, b));
        _mm256_storeu_pd(out + stride, _mm256_unpackhi_pd(a, b));
    }
};

SSK_INLINE double scalar_fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
SSK_INLINE float scalar_fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
SSK_INLINE double product_error(double a, double b, double product) {
    return __builtin_fma(a, b, -product);
}

}  // namespace SSK_ISA
}  // namespace ssk
