// What happens to centres between two assignments: `means` of the sums, and `steps`, how far the
// centres went and what that did to the cost of their rows.
#pragma once
#include "rows.hpp"

namespace ssk {
namespace SSK_ISA {

// high + low over mass + mass_low, right to the last digit: the quotient of the leading parts, and
// what it leaves over, divided again.
static void means_chunk(const void *arguments, int64_t j, void *) {
    const Centres &c = *(const Centres *)arguments;
    const double mass = c.mass[j] > 0 ? c.mass[j] : infinity - infinity, less = c.mass_low[j];
    const double *SSK_RESTRICT high = c.high + j * c.d, *SSK_RESTRICT low = c.low + j * c.d;
    double *SSK_RESTRICT out = c.out + j * c.d;
    for (int64_t f = 0; f < c.d; ++f) {
        const double ratio = high[f] / mass, product = ratio * mass;
        const double rest = (high[f] - product) - product_error(ratio, mass, product) + low[f];
        out[f] = ratio + (rest - ratio * less) / mass;
    }
}

// W (|m - c'|^2 - |m - c|^2) for a centre that goes from c to c'; m W is the sum of its rows.
template <class T> static void steps_chunk(const void *arguments, int64_t j, void *) {
    using V = Vec<double>;
    const Centres &c = *(const Centres *)arguments;
    const T *SSK_RESTRICT old = (const T *)c.old_centres + j * c.d;
    const T *SSK_RESTRICT now = (const T *)c.new_centres + j * c.d;
    const double *SSK_RESTRICT high = c.high + j * c.d;
    const V mass = V::broadcast(c.mass[j]), minus_two = V::broadcast(-2);
    V change = V::broadcast(0);
    int64_t f = 0;
    for (; f + V::lanes <= c.d; f += V::lanes) {
        const V from = V::load(old + f), to = V::load(now + f);
        const V both = V::fma(mass, V::add(to, from), V::broadcast(0));
        change = V::fma(V::sub(to, from), V::fma(minus_two, V::load(high + f), both), change);
    }
    double lane[V::lanes], total = 0;
    change.store(lane);
    for (int i = 0; i < V::lanes; ++i) total += lane[i];
    for (; f < c.d; ++f) {
        const double from = old[f], to = now[f];
        total += (to - from) * (c.mass[j] * (to + from) - 2 * high[f]);
    }
    c.changes[j] = total;
    c.squares[j] = squared_distance(now, old, c.d);
    if (c.squares[j] > 0) return;
    for (f = 0; f < c.d; ++f)  // a step too small to be squared is a step all the same
        if (now[f] != old[f]) c.squares[j] = 0x1p-1022;
}

static Work means_work(const Centres *c) {
    return {c->k, 0, 1.5 * (double)c->k * (double)c->d, means_chunk, c};
}

template <class T> static Work steps_work(const Centres *c) {
    return {c->k, 0, 0.5 * (double)c->k * (double)c->d, steps_chunk<T>, c};
}

}  // namespace SSK_ISA
}  // namespace ssk
