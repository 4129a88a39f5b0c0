// `surviving`: Hamerly's test. Each chunk lists its survivors from its own first place on; the
// binding then moves the lists together. Bit for bit as the reference: one rounding an operation.
#pragma once
#include "rows.hpp"

namespace ssk {
namespace SSK_ISA {

static void surviving_rows(const void *arguments, int64_t chunk, void *) {
    const Bounds &b = *(const Bounds *)arguments;
    constexpr double grow = 1.0 + 0x1p-50, shrink = 1.0 - 0x1p-50;
    constexpr int64_t block = 256;
    const int64_t first = chunk * surviving_chunk, end = least(b.count, first + surviving_chunk);
    int64_t *out = b.positions + first, found = 0;
    for (int64_t start = first; start < end; start += block) {
        const int64_t size = least(block, end - start);
        const int32_t *SSK_RESTRICT labels = b.labels + start;
        double *SSK_RESTRICT upper = b.upper + start, *SSK_RESTRICT lower = b.lower + start;
        int64_t keeps[block];
        for (int64_t i = 0; i < size; ++i) {
            const double u = (upper[i] + b.drift[labels[i]]) * grow;
            const double less = lower[i] - b.other_drift[labels[i]];
            const double l = less * (less > 0 ? shrink : grow);
            const double gap = b.half_gap[labels[i]];
            upper[i] = u;
            lower[i] = l;
            keeps[i] = u >= (l > gap ? l : gap);
        }
        // Without a branch: which rows survive cannot be predicted.
        for (int64_t i = 0; i < size; ++i) {
            out[found] = start + i;
            found += keeps[i];
        }
    }
    b.found[chunk] = found;
}

static Work surviving_work(const Bounds *b) {
    return {ceil_div(b->count, surviving_chunk), 0, 2.0 * (double)b->count, surviving_rows, b};
}

}  // namespace SSK_ISA
}  // namespace ssk
