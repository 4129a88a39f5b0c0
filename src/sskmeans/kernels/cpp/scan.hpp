// Coarse squares of a tile of rows to all centres, and the nearest two centres of each row.
#pragma once
#include "coarse.hpp"
#include "distances.hpp"

namespace ssk {
namespace SSK_ISA {

struct Nearest {
    float best[CoarseTile::rows], second[CoarseTile::rows], slot[CoarseTile::rows];
};

struct Scan {
    using V = Vec<float>;
    static constexpr int rows = CoarseTile::rows;
    int64_t k;
    CoarseTile tile;
    float *squares;  // (k, rows)
    Nearest near;

    static int64_t numbers(const Coarse &c, int64_t k) { return CoarseTile::numbers(c) + k * rows; }
    Scan(const Coarse &c, int64_t k, float *space)
        : k(k), tile{c, space}, squares(space + CoarseTile::numbers(c)) {}

    // Of the rows that the tile has loaded.
    void run() {
        for (int i = 0; i < rows; ++i) {
            near.best[i] = near.second[i] = (float)infinity;
            near.slot[i] = slot_bits<float>(0);
        }
        compare(*this);
    }

    template <class Sink> void compare(Sink &sink) {
        const int64_t groups = ceil_div(k, V::centres), step = ceil_div(k, groups);
        for (int64_t j = 0; j < k; j += step)
            group<V::centres>((int)least(step, k - j), tile, sink, 1, j);
    }

    template <int C> SSK_INLINE void take(int64_t, int64_t first, const V (&square)[C][2]) {
        SSK_UNROLL
        for (int half = 0; half < 2; ++half) {
            const int at = half * V::lanes;
            V nearest = V::load(near.best + at), other = V::load(near.second + at);
            V which = V::load(near.slot + at);
            SSK_UNROLL
            for (int i = 0; i < C; ++i) {
                const V here = square[i][half], number = V::broadcast(slot_bits<float>(first + i));
                here.store(squares + (first + i) * rows + at);
                which = V::select_less(here, nearest, number, which);
                other = V::min(other, V::max(nearest, here));
                nearest = V::min(nearest, here);
            }
            nearest.store(near.best + at);
            other.store(near.second + at);
            which.store(near.slot + at);
        }
    }

    // Which rows of the tile have a square of at most `limit` to centre j, a bit each.
    uint32_t within(int64_t j, const float *limit) const {
        const float *square = squares + j * rows;
        return V::not_greater(V::load(square), V::load(limit)) |
               V::not_greater(V::load(square + V::lanes), V::load(limit + V::lanes)) << V::lanes;
    }
};

// A centre, and the rows of a tile that it is near to, a bit each.
struct Near {
    int32_t slot;
    uint32_t rows;
};

// Lists the centres whose squares are within a limit, which each row has of its own.
struct Within {
    using V = Vec<float>;
    const float *limit;
    Near *list;  // room for all centres and one more
    int64_t count = 0, pairs = 0;
    float centres[CoarseTile::rows] = {};  // of each row

    Within(const float *limit, Near *list) : limit(limit), list(list) {}

    template <int C> SSK_INLINE void take(int64_t, int64_t first, const V (&square)[C][2]) {
        const V left = V::load(limit), right = V::load(limit + V::lanes);
        const V none = V::broadcast(0), one = V::broadcast(1);
        V n_left = V::load(centres), n_right = V::load(centres + V::lanes);
        SSK_UNROLL
        for (int i = 0; i < C; ++i) {
            const V &a = square[i][0], &b = square[i][1];
            const uint32_t rows = V::not_greater(a, left) | V::not_greater(b, right) << V::lanes;
            list[count] = {(int32_t)(first + i), rows};
            count += rows != 0;
            n_left = V::add(n_left, V::select_less(left, a, none, one));
            n_right = V::add(n_right, V::select_less(right, b, none, one));
        }
        n_left.store(centres);
        n_right.store(centres + V::lanes);
    }
};

}  // namespace SSK_ISA
}  // namespace ssk
