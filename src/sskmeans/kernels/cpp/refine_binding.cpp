// What Lloyd's loop calls between two assignments, and the steps of its accelerations.
#include <cstring>
#include <vector>

#include "binding.hpp"

using namespace nb::literals;

namespace ssk {

static void means(In2 high, In2 low, In1 mass, In1 mass_low, Out2 out) {
    const size_t k = high.shape(0), d = high.shape(1);
    for (size_t length : {low.shape(0), mass.shape(0), mass_low.shape(0), out.shape(0)})
        require(length == k, "one of each for each centre is needed");
    require(low.shape(1) == d && out.shape(1) == d, "all tables must have shape (k, d)");
    const Centres c = {nullptr, nullptr, high.data(), low.data(), mass.data(), mass_low.data(),
                       (int64_t)k, (int64_t)d, out.data(), nullptr, nullptr};
    execute(table->means(&c));
}

static void steps(Any before, Any after, In2 high, In1 mass, Out1 squares, Out1 changes) {
    require(before.ndim() == 2, "centres must have shape (k, d)");
    const Matrix old_centres(before, {}, {}, (int64_t)before.shape(1), {});
    const Pairs p = old_centres.pairs(after);
    for (size_t length : {mass.shape(0), high.shape(0), squares.shape(0), changes.shape(0)})
        old_centres.check(length);
    require(p.k == p.x.n && (int64_t)high.shape(1) == p.x.d, "all tables must have shape (k, d)");
    const Centres c = {before.data(), after.data(), high.data(), nullptr, mass.data(), nullptr,
                       p.k, p.x.d, nullptr, squares.data(), changes.data()};
    execute(of(old_centres).steps(&c));
}

// Moves the lists that chunks wrote at their own places together; how long the list is.
static int64_t gather(int64_t *moved, int32_t *left, const int64_t *found, int64_t chunks,
                      int64_t rows) {
    int64_t total = 0;
    for (int64_t chunk = 0; chunk < chunks; total += found[chunk++]) {
        const int64_t from = chunk * rows;
        std::memmove(moved + total, moved + from, (size_t)found[chunk] * sizeof(int64_t));
        std::memmove(left + total, left + from, (size_t)found[chunk] * sizeof(int32_t));
    }
    return total;
}

static nb::tuple reassign(Any data, MaybeAny indices, MaybeAny indptr, int64_t d, MaybeRows rows,
                          Any centres, Weights weights, Array<int32_t, 1> labels, Out1 upper,
                          Out1 lower, In2 moves, In1 rounding, double share, Array<int64_t, 1> moved,
                          Array<int32_t, 1> left) {
    const Matrix x(data, indices, indptr, d, rows);
    Pairs p = x.pairs(centres);
    if (weights) x.check(weights->shape(0));
    for (size_t length : {labels.shape(0), upper.shape(0), lower.shape(0), moved.shape(0),
                          left.shape(0)})
        x.check(length);
    require(moves.shape(0) == 3 && (int64_t)moves.shape(1) == p.k, "moves must have shape (3, k)");
    require(rounding.shape(0) == 3, "rounding is three numbers");
    const int64_t m = p.x.count, chunks = (m + reassign_rows - 1) / reassign_rows;
    std::vector<int64_t> counts((size_t)(3 * chunks));
    std::vector<double> gains((size_t)chunks);
    int64_t *found = counts.data();
    const double *move = moves.data(), *round = rounding.data();
    Reassign r = {p, weights ? weights->data() : nullptr, labels.data(), upper.data(),
                  lower.data(), move, move + p.k, move + 2 * p.k, round[0], round[1], round[2],
                  share, moved.data(), left.data(), found, found + chunks, found + 2 * chunks,
                  gains.data()};
    with_packed(of(x), r.p, true, [&] { execute(of(x).reassign(&r)); });
    int64_t tightened = 0, opened = 0;
    double gain = 0;
    for (int64_t chunk = 0; chunk < chunks; ++chunk) {
        tightened += r.tightened[chunk], opened += r.opened[chunk];
        gain += r.gain[chunk];
    }
    const int64_t total = gather(r.moved, r.left, found, chunks, reassign_rows);
    return nb::make_tuple(total, gain, (double)(tightened + opened * p.k));
}

static void project(Any data, int64_t d, MaybeRows rows, Any mean, Array<const float, 2> axes,
                    double error, Array<float, 2> out) {
    const Matrix x(data, {}, {}, d, rows);
    const int64_t directions = (int64_t)axes.shape(1);
    x.check(out.shape(0));
    require(mean.ndim() == 1 && (int64_t)mean.shape(0) == d && mean.dtype() == x.dtype,
            "mean must have shape (d,) and the dtype of the data");
    require((int64_t)axes.shape(0) == d && directions % 16 == 0, "axes: (d, p), p of sixteens");
    require((int64_t)out.shape(1) == directions + 2, "out must have shape (m, p + 2)");
    const Projection p = {x.points, mean.data(), axes.data(), directions, error, out.data()};
    execute(of(x).project(&p));
}

static nb::tuple prune(Any data, int64_t d, MaybeRows rows, Any centres, Weights weights,
                       Array<int32_t, 1> labels, Out1 upper, Array<uint16_t, 2> stored,
                       Array<const float, 2> led, Array<const float, 3> led_centres,
                       Array<const int32_t, 1> slots, Array<const int32_t, 1> place,
                       Array<const uint16_t, 1> sunk, In1 drift, In1 scale, In1 rounding,
                       double share, Array<int64_t, 1> moved, Array<int32_t, 1> left) {
    const Matrix x(data, {}, {}, d, rows);
    const Pairs p = x.pairs(centres);
    if (weights) x.check(weights->shape(0));
    for (size_t length : {labels.shape(0), upper.shape(0), stored.shape(0), led.shape(0),
                          moved.shape(0), left.shape(0)})
        x.check(length);
    const int64_t blocks = (int64_t)led_centres.shape(0), groups = (int64_t)sunk.shape(0);
    const int64_t directions = (int64_t)led.shape(1) - 2;
    require((int64_t)led_centres.shape(1) == directions + 1 && led_centres.shape(2) == 16 &&
            (int64_t)slots.shape(0) == 16 * blocks && 16 * blocks >= p.k,
            "centres lie in blocks of sixteen");
    require(groups > 0 && (16 * blocks) % groups == 0 && 16 % (16 * blocks / groups) == 0 &&
            (int64_t)stored.shape(1) == groups, "groups cut the blocks");
    require((int64_t)place.shape(0) == p.k && (int64_t)drift.shape(0) == p.k &&
            scale.shape(0) == 3 && rounding.shape(0) == 3, "one of each for each centre is needed");
    const int64_t chunks = (p.x.count + pruned_rows - 1) / pruned_rows;
    std::vector<int64_t> found((size_t)chunks);
    std::vector<double> sums((size_t)(2 * chunks));
    const double *round = rounding.data();
    const Prune r = {p, weights ? weights->data() : nullptr, labels.data(), upper.data(),
                     stored.data(), led.data(), led_centres.data(), slots.data(), place.data(),
                     sunk.data(), drift.data(), directions, blocks, 16 * blocks / groups, groups,
                     scale.data()[0], scale.data()[1], scale.data()[2], round[0], round[1],
                     round[2], share, moved.data(), left.data(), found.data(), sums.data(),
                     sums.data() + chunks};
    execute(of(x).prune(&r));
    double computed = 0, gain = 0;
    for (int64_t chunk = 0; chunk < chunks; ++chunk)
        computed += r.computed[chunk], gain += r.gain[chunk];
    const int64_t total = gather(r.moved, r.left, found.data(), chunks, pruned_rows);
    return nb::make_tuple(total, gain, computed);
}

void bind_refinement(nb::module_ &m) {
    m.def("means", means, EXACT("high"), EXACT("low"), EXACT("mass"), EXACT("mass_low"),
          EXACT("out"));
    m.def("steps", steps, EXACT("before"), EXACT("after"), EXACT("high"), EXACT("mass"),
          EXACT("squares"), EXACT("changes"));
    m.def("reassign", reassign, MATRIX, EXACT("centres"), OPTIONAL("weights"), EXACT("labels"),
          EXACT("upper"), EXACT("lower"), EXACT("moves"), EXACT("rounding"), "share"_a,
          EXACT("moved"), EXACT("left"));
    m.def("project", project, EXACT("data"), "d"_a, OPTIONAL("rows"), EXACT("mean"), EXACT("axes"),
          "error"_a, EXACT("out"));
    m.def("prune", prune, EXACT("data"), "d"_a, OPTIONAL("rows"), EXACT("centres"),
          OPTIONAL("weights"), EXACT("labels"), EXACT("upper"), EXACT("stored"), EXACT("led"),
          EXACT("led_centres"), EXACT("slots"), EXACT("place"), EXACT("sunk"), EXACT("drift"),
          EXACT("scale"), EXACT("rounding"), "share"_a, EXACT("moved"), EXACT("left"));
}

}  // namespace ssk
