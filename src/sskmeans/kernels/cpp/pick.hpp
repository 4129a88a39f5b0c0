// `pick`: rows drawn in proportion to weight times square. The mass of each chunk is summed by as
// many threads as there are; which chunk and which row a number leads to is then found by walking.
#pragma once
#include "rows.hpp"

namespace ssk {
namespace SSK_ISA {

static void mass_chunk(const void *arguments, int64_t chunk, void *) {
    using V = Vec<double>;
    const Lottery &l = *(const Lottery *)arguments;
    const int64_t first = chunk * offered_rows, end = least(l.count, first + offered_rows);
    const V one = V::broadcast(1);
    V sum[2] = {V::broadcast(0), V::broadcast(0)};
    int64_t i = first;
    for (; i + 2 * V::lanes <= end; i += 2 * V::lanes)
        for (int half = 0; half < 2; ++half) {
            const int64_t at = i + half * V::lanes;
            const V weight = l.weights ? V::load(l.weights + at) : one;
            sum[half] = V::fma(weight, V::load(l.squares + at), sum[half]);
        }
    double total = V::add(sum[0], sum[1]).total();
    for (; i < end; ++i) total += (l.weights ? l.weights[i] : 1.0) * l.squares[i];
    l.masses[chunk] = total;
}

static Work mass_work(const Lottery *l) {
    return {ceil_div(l->count, offered_rows), 0, 0.3 * (double)l->count, mass_chunk, l};
}

}  // namespace SSK_ISA
}  // namespace ssk
