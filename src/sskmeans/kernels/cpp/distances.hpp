// `nearest`, `distances` and `own`: one driver over a tile type (dense or CSR) and a sink, which
// takes the distances of a tile to a few centres while they are still in registers.
//
// A chunk is what one thread takes at a time: about a millisecond. Within it a batch of tiles
// shares each group of centres, so that centres too many for the cache are read once a batch.
#pragma once
#include "csr_tile.hpp"
#include "dense_tile.hpp"

namespace ssk {
namespace SSK_ISA {

static constexpr int64_t cached = 1 << 18;      // bytes of turned rows a batch may hold
static constexpr double chunk_cost = 0.5e6;     // nanoseconds

// Keeps the nearest centre, its distance and the second distance, lane by lane. Centres come in
// order and only a strictly smaller distance takes over: ties go to the lowest slot.
template <class Tile> struct NearestSink {
    using N = typename Tile::Number;
    using V = Vec<N>;
    static constexpr int64_t numbers = 3 * Tile::rows;
    const Pairs &pairs;
    N *state;  // (tiles, best / second / slot, rows)

    void start(int64_t, int64_t tiles) {
        const V far = V::broadcast((N)infinity), none = V::broadcast(slot_bits<N>(0));
        for (int64_t v = 0; v < 6 * tiles; ++v)
            (v % 6 < 4 ? far : none).store(state + v * V::lanes);
    }
    template <int C> SSK_INLINE void take(int64_t tile, int64_t first, const V (&sum)[C][2]) {
        N *s = state + tile * numbers;
        SSK_UNROLL
        for (int half = 0; half < 2; ++half) {
            N *at = s + half * V::lanes;
            V best = V::load(at), second = V::load(at + Tile::rows);
            V slot = V::load(at + 2 * Tile::rows);
            SSK_UNROLL
            for (int i = 0; i < C; ++i) {
                const V here = sum[i][half], number = V::broadcast(slot_bits<N>(first + i));
                slot = V::select_less(here, best, number, slot);
                second = V::min(second, V::max(best, here));
                best = V::min(best, here);
            }
            best.store(at);
            second.store(at + Tile::rows);
            slot.store(at + 2 * Tile::rows);
        }
    }
    void finish(int64_t tile, int64_t first, int64_t count) {
        const N *s = state + tile * numbers;
        for (int64_t i = 0; i < count; ++i) {
            pairs.best[first + i] = (double)s[i];
            pairs.second[first + i] = (double)s[Tile::rows + i];
            pairs.labels[first + i] = slot_of<N>(s[2 * Tile::rows + i]);
        }
    }
};

// Writes every distance, a group of centres at a time.
template <class Tile> struct AllSink {
    using N = typename Tile::Number;
    using V = Vec<N>;
    static constexpr int64_t numbers = 0;
    const Pairs &pairs;
    N *state;
    int64_t batch = 0;  // its first row

    void start(int64_t row, int64_t) { batch = row; }
    template <int C> SSK_INLINE void take(int64_t tile, int64_t first, const V (&sum)[C][2]) {
        N lanes[C][Tile::rows];
        SSK_UNROLL
        for (int i = 0; i < C; ++i) {
            sum[i][0].store(lanes[i]);
            sum[i][1].store(lanes[i] + V::lanes);
        }
        const int64_t row = batch + tile * Tile::rows;
        const int64_t count = least<int64_t>(Tile::rows, pairs.x.count - row);
        for (int64_t r = 0; r < count; ++r) {
            double *out = pairs.best + (row + r) * pairs.k + first;
            for (int i = 0; i < C; ++i) out[i] = (double)lanes[i][r];
        }
    }
    void finish(int64_t, int64_t, int64_t) {}
};

template <class Tile> struct Shape {
    int64_t tiles;  // in a batch
    int64_t rows;   // in a chunk, a multiple of the rows in a batch

    explicit Shape(const Pairs &p) {
        const int64_t bytes = Tile::numbers(p) * (int64_t)sizeof(typename Tile::Number);
        tiles = most<int64_t>(1, least<int64_t>(8, cached / most<int64_t>(1, bytes)));
        const double row_cost = Tile::cost(p) / (double)most<int64_t>(1, p.x.count);
        const int64_t wanted = (int64_t)least(chunk_cost / row_cost, 65536.0);
        const int64_t batch = tiles * Tile::rows;
        if (wanted < batch) tiles = most<int64_t>(1, wanted / Tile::rows);
        rows = tiles * Tile::rows * most<int64_t>(1, wanted / batch);
    }
};

// C of the first template argument that fits at run time: every size has its own unrolled code.
template <int C, class Tile, class Sink>
static void group(int size, const Tile &tile, Sink &sink, int64_t tiles, int64_t first) {
    if (size < C) return group<C - 1 ? C - 1 : 1>(size, tile, sink, tiles, first);
    for (int64_t t = 0; t < tiles; ++t) {
        typename Tile::V sum[C][2];
        tile.template distances<C>(t, first, sum);
        sink.template take<C>(t, first, sum);
    }
}

// Rows begin .. end against all centres.
template <class Tile, class Sink>
static void distance_rows(const Pairs &p, int64_t begin, int64_t end, double *zeros, Sink sink) {
    using N = typename Tile::Number;
    const Shape<Tile> shape(p);
    N *space = (N *)(zeros + Tile::zeroed(p));
    Tile tile(p, zeros, space);
    sink.state = space + shape.tiles * Tile::numbers(p);
    const int64_t groups = ceil_div(p.k, Tile::V::centres), step = ceil_div(p.k, groups);
    for (int64_t row = begin; row < end; row += shape.tiles * Tile::rows) {
        const int64_t tiles = least(shape.tiles, ceil_div(end - row, Tile::rows));
        for (int64_t t = 0; t < tiles; ++t) tile.load(t, row + t * Tile::rows);
        sink.start(row, tiles);
        for (int64_t j = 0; j < p.k; j += step)
            group<Tile::V::centres>((int)least(step, p.k - j), tile, sink, tiles, j);
        for (int64_t t = 0; t < tiles; ++t) {
            const int64_t first = row + t * Tile::rows;
            sink.finish(t, first, least<int64_t>(Tile::rows, p.x.count - first));
        }
    }
}

template <class Tile, template <class> class Sink>
static void distance_rows(const Pairs &p, int64_t begin, int64_t end, double *zeros) {
    distance_rows<Tile>(p, begin, end, zeros, Sink<Tile>{p, nullptr});
}

// Bytes that `distance_rows` needs, zeroed.
template <class Tile, template <class> class Sink> static size_t distance_scratch(const Pairs &p) {
    const int64_t numbers = Shape<Tile>(p).tiles * (Tile::numbers(p) + Sink<Tile>::numbers);
    return (size_t)Tile::zeroed(p) * sizeof(double) +
           (size_t)numbers * sizeof(typename Tile::Number);
}

template <class Tile, template <class> class Sink>
static void distance_chunk(const void *arguments, int64_t chunk, void *scratch) {
    const Pairs &p = *(const Pairs *)arguments;
    const int64_t rows = Shape<Tile>(p).rows, end = least(p.x.count, (chunk + 1) * rows);
    distance_rows<Tile, Sink>(p, chunk * rows, end, (double *)scratch);
}

template <class Tile, template <class> class Sink> static Work distance_work(const Pairs *p) {
    return {ceil_div(p->x.count, Shape<Tile>(*p).rows), distance_scratch<Tile, Sink>(*p),
            Tile::cost(*p), distance_chunk<Tile, Sink>, p};
}

}  // namespace SSK_ISA
}  // namespace ssk
