// Vec for every other machine: 16 bytes wide, which SSE2 and NEON both hold in one register.
//
// GCC and Clang know vectors as a language extension; elsewhere a plain array does, and the
// compiler finds the vectors or does not. `fma` rounds twice here: calling the library's fma
// would cost far more than the digit it saves.
#pragma once

namespace ssk {
namespace SSK_ISA {

#if defined(__GNUC__)
template <class T> struct Lanes {
    typedef T type __attribute__((vector_size(16)));
};
#endif

template <class T> struct Vec {
    static constexpr int lanes = 16 / sizeof(T), centres = 4, step = 1;
#if defined(__GNUC__)
    typename Lanes<T>::type v;
    static SSK_INLINE Vec add(Vec a, Vec b) { return {a.v + b.v}; }
    static SSK_INLINE Vec sub(Vec a, Vec b) { return {a.v - b.v}; }
    static SSK_INLINE Vec mul(Vec a, Vec b) { return {a.v * b.v}; }
    static SSK_INLINE Vec fma(Vec a, Vec b, Vec c) { return {a.v * b.v + c.v}; }
    static SSK_INLINE Vec select_less(Vec a, Vec b, Vec yes, Vec no) {
        return {a.v < b.v ? yes.v : no.v};
    }
    static SSK_INLINE Vec broadcast(T x) {
        Vec out;
        if constexpr (lanes == 4) out.v = typename Lanes<T>::type{x, x, x, x};
        else out.v = typename Lanes<T>::type{x, x};  // a loop would go through memory
        return out;
    }
#else
    T v[lanes];
    template <class F> static SSK_INLINE Vec each(F f) {
        Vec out;
        for (int i = 0; i < lanes; ++i) out.v[i] = f(i);
        return out;
    }
    static SSK_INLINE Vec broadcast(T x) {
        return each([&](int) { return x; });
    }
    static SSK_INLINE Vec add(Vec a, Vec b) {
        return each([&](int i) { return a.v[i] + b.v[i]; });
    }
    static SSK_INLINE Vec sub(Vec a, Vec b) {
        return each([&](int i) { return a.v[i] - b.v[i]; });
    }
    static SSK_INLINE Vec mul(Vec a, Vec b) {
        return each([&](int i) { return a.v[i] * b.v[i]; });
    }
    static SSK_INLINE Vec fma(Vec a, Vec b, Vec c) {
        return each([&](int i) { return a.v[i] * b.v[i] + c.v[i]; });
    }
    static SSK_INLINE Vec select_less(Vec a, Vec b, Vec yes, Vec no) {
        return each([&](int i) { return a.v[i] < b.v[i] ? yes.v[i] : no.v[i]; });
    }
#endif
    SSK_INLINE T total() const {
        T sum = v[0];
        for (int i = 1; i < lanes; ++i) sum += v[i];
        return sum;
    }
    static SSK_INLINE uint32_t not_greater(Vec a, Vec b) {
        uint32_t bits = 0;
        for (int i = 0; i < lanes; ++i) bits |= (uint32_t)(a.v[i] <= b.v[i]) << i;
        return bits;
    }
    static SSK_INLINE Vec min(Vec a, Vec b) { return select_less(a, b, a, b); }
    static SSK_INLINE Vec max(Vec a, Vec b) { return select_less(a, b, b, a); }
    template <class S> static SSK_INLINE Vec load(const S *p) {
        Vec out;
        for (int i = 0; i < lanes; ++i) out.v[i] = (T)p[i];
        return out;
    }
    template <class S> static SSK_INLINE Vec load(const S *p, int64_t n) {
        T part[lanes] = {};
        for (int64_t i = 0; i < n; ++i) part[i] = (T)p[i];
        return load((const T *)part);
    }
    static SSK_INLINE Vec load(const T *p) {
        Vec out;
        std::memcpy(&out.v, p, sizeof(out.v));
        return out;
    }
    SSK_INLINE void store(T *p) const { std::memcpy(p, &v, sizeof(v)); }
    static SSK_INLINE void transpose(const T *const *rows, int64_t f, T *out, int) {
        for (int i = 0; i < lanes; ++i) out[i] = rows[i][f];
    }
};

struct Ints {
    static constexpr int32_t levels = 127;  // of b in `dot`
    static constexpr int lanes = Vec<float>::lanes;
    int32_t v[lanes];
    static SSK_INLINE Ints broadcast(int32_t x) {
        Ints out;
        for (int i = 0; i < lanes; ++i) out.v[i] = x;
        return out;
    }
    static SSK_INLINE Ints broadcast(const uint8_t *four) {
        int32_t x;
        std::memcpy(&x, four, sizeof(x));
        return broadcast(x);
    }
    static SSK_INLINE Ints load(const void *bits) {
        Ints out;
        std::memcpy(out.v, bits, sizeof(out.v));
        return out;
    }
    static SSK_INLINE Ints load(const void *bits, int64_t) { return load(bits); }  // never a part
    static SSK_INLINE Ints add(Ints a, Ints b) {
        for (int i = 0; i < lanes; ++i) a.v[i] += b.v[i];
        return a;
    }
    SSK_INLINE int32_t total() const {
        int32_t sum = 0;
        for (int i = 0; i < lanes; ++i) sum += v[i];
        return sum;
    }
    SSK_INLINE Vec<float> numbers() const {
        float out[lanes];
        for (int i = 0; i < lanes; ++i) out[i] = (float)v[i];
        return Vec<float>::load(out);
    }
    static SSK_INLINE Ints dot(Ints a, Ints b, Ints sum) {
        uint8_t left[4 * lanes];
        int8_t right[4 * lanes];
        std::memcpy(left, a.v, sizeof(left));
        std::memcpy(right, b.v, sizeof(right));
        for (int i = 0; i < lanes; ++i)
            for (int j = 0; j < 4; ++j) sum.v[i] += (int32_t)left[4 * i + j] * right[4 * i + j];
        return sum;
    }
};

SSK_INLINE double scalar_fma(double a, double b, double c) { return a * b + c; }
SSK_INLINE float scalar_fma(float a, float b, float c) { return a * b + c; }

// x rounded to 26 bits, by its bits: Veltkamp's multiplication would overflow near 1e300.
SSK_INLINE double upper_half(double x) {
    uint64_t bits;
    std::memcpy(&bits, &x, sizeof(x));
    bits = (bits + (1u << 26)) & ~(uint64_t)((1u << 27) - 1);
    std::memcpy(&x, &bits, sizeof(x));
    return x;
}

// Dekker's: the products of halves are exact.
SSK_INLINE double product_error(double a, double b, double product) {
    const double high = upper_half(a), low = a - high;
    const double other_high = upper_half(b), other_low = b - other_high;
    const double rest = (high * other_high - product) + high * other_low + low * other_high;
    return rest + low * other_low;
}
SSK_INLINE double product_error(double a, float b, double product) {  // 24 bits are half enough
    const double high = upper_half(a);
    return (high * b - product) + (a - high) * b;
}

}  // namespace SSK_ISA
}  // namespace ssk
