// What Lloyd's loop calls between two assignments, and the steps of its accelerations.
#include <nanobind/stl/tuple.h>

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

using Codes = Array<const uint8_t, 2>;
using Stats = Array<const float, 2>;
using CoarseArrays = std::tuple<Codes, Stats, Codes, Stats, Array<const int32_t, 1>, In1>;
using MaybeCoarse = std::optional<CoarseArrays>;

static void coarsen(Any data, int64_t d, MaybeRows rows, In1 middle, double unit, int32_t levels,
                    int32_t bias, Array<uint8_t, 2> codes, Array<float, 2> stats) {
    const Matrix x(data, {}, {}, d, rows);
    x.check(codes.shape(0));
    x.check(stats.shape(0));
    require((int64_t)middle.shape(0) == d && (int64_t)codes.shape(1) >= d &&
            codes.shape(1) % 16 == 0 && stats.shape(1) == coarse_stats,
            "codes are sixteen bytes wide");
    const Coarsening c = {x.points, middle.data(), unit, levels, bias, (int64_t)codes.shape(1),
                          codes.data(), stats.data()};
    execute(of(x).coarsen(&c));
}

static Coarse coarse_of(const Matrix &x, const Pairs &p, const CoarseArrays &arrays) {
    const auto &[codes, stats, centre_codes, centre_stats, bias, scale] = arrays;
    const size_t k = (size_t)p.k;
    x.check(codes.shape(0));
    x.check(stats.shape(0));
    require(centre_codes.shape(0) == k && centre_stats.shape(0) == k && bias.shape(0) == k,
            "one of each for each centre is needed");
    require(codes.shape(1) % 16 == 0 && codes.shape(1) == centre_codes.shape(1) &&
            stats.shape(1) == coarse_stats && centre_stats.shape(1) == coarse_stats &&
            scale.shape(0) == 3, "coarse rows and centres are alike");
    return {codes.data(), centre_codes.data(), stats.data(), centre_stats.data(), bias.data(),
            (int64_t)codes.shape(1), scale.data()[0], scale.data()[1], scale.data()[2], nullptr,
            nullptr};
}

static void look(Codes codes, Stats stats, Codes directions, Array<const int32_t, 1> bias,
                 double scale, int32_t levels, int32_t to_bias, Array<uint8_t, 2> out,
                 Array<float, 2> out_stats) {
    const size_t m = codes.shape(0), p = directions.shape(0);
    require(stats.shape(0) == m && out.shape(0) == m && out_stats.shape(0) == m &&
            bias.shape(0) == p && out.shape(1) >= p, "one of each is needed");
    require(codes.shape(1) == directions.shape(1) && codes.shape(1) % 16 == 0 &&
            out.shape(1) % 16 == 0 && stats.shape(1) == coarse_stats &&
            out_stats.shape(1) == coarse_stats, "rows and directions are alike");
    const Coarse seen = {codes.data(), directions.data(), stats.data(), nullptr, bias.data(),
                         (int64_t)codes.shape(1), 0, 0, 0, nullptr, nullptr};
    const Look l = {seen, (int64_t)m, (int64_t)p, (int64_t)out.shape(1), scale, levels, to_bias,
                    out.data(), out_stats.data()};
    execute(table->look(&l));
}

static nb::tuple reassign(Any data, MaybeAny indices, MaybeAny indptr, int64_t d, MaybeRows rows,
                          Any centres, Weights weights, Array<int32_t, 1> labels, Out1 upper,
                          Out1 lower, In2 moves, In1 rounding, double share, bool fresh,
                          MaybeCoarse in_bytes, MaybeCoarse in_leading, Array<int64_t, 1> moved,
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
    std::vector<int64_t> counts((size_t)(2 * chunks));
    std::vector<double> gains((size_t)chunks);
    int64_t *found = counts.data();
    const double *move = moves.data(), *round = rounding.data();
    Coarse coarse = {}, leading = {};
    if (in_bytes) {
        p.coarse = &(coarse = coarse_of(x, p, *in_bytes));
        require(coarse.width >= p.x.d, "each number has a code");
        if (in_leading) coarse.leading = &(leading = coarse_of(x, p, *in_leading));
    }
    Reassign r = {p, weights ? weights->data() : nullptr, labels.data(), upper.data(),
                  lower.data(), move, move + p.k, move + 2 * p.k, round[0], round[1], round[2],
                  share, fresh, moved.data(), left.data(), found, found + chunks, gains.data()};
    with_packed(of(x), r.p, true, [&] { execute(of(x).reassign(&r)); });
    int64_t computed = 0;
    double gain = 0;
    for (int64_t chunk = 0; chunk < chunks; ++chunk)
        computed += r.computed[chunk], gain += r.gain[chunk];
    const int64_t total = gather(r.moved, r.left, found, chunks, reassign_rows);
    return nb::make_tuple(total, gain, (double)computed);
}

void bind_refinement(nb::module_ &m) {
    m.def("means", means, EXACT("high"), EXACT("low"), EXACT("mass"), EXACT("mass_low"),
          EXACT("out"));
    m.def("steps", steps, EXACT("before"), EXACT("after"), EXACT("high"), EXACT("mass"),
          EXACT("squares"), EXACT("changes"));
    m.def("reassign", reassign, MATRIX, EXACT("centres"), OPTIONAL("weights"), EXACT("labels"),
          EXACT("upper"), EXACT("lower"), EXACT("moves"), EXACT("rounding"), "share"_a, "fresh"_a,
          "coarse"_a.none(), "leading"_a.none(), EXACT("moved"), EXACT("left"));
    m.def("look", look, EXACT("codes"), EXACT("stats"), EXACT("directions"), EXACT("bias"),
          "scale"_a, "levels"_a, "to_bias"_a, EXACT("out"), EXACT("out_stats"));
    m.def("coarsen", coarsen, EXACT("data"), "d"_a, OPTIONAL("rows"), EXACT("middle"), "unit"_a,
          "levels"_a, "bias"_a, EXACT("codes"), EXACT("stats"));
}

}  // namespace ssk
