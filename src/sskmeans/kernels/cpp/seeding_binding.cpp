// What greedy k-means++ calls for each centre.
#include <vector>

#include "binding.hpp"

using namespace nb::literals;

namespace ssk {

using Kept = nb::ndarray<nb::ndim<3>, nb::c_contig, nb::device::cpu>;

static void check_room(const Kept &kept, int64_t rows) {
    require((int64_t)kept.shape(0) == (rows + offered_rows - 1) / offered_rows &&
            (int64_t)kept.shape(2) == offered_rows, "there must be room for every row");
}

static int64_t gains(Any data, MaybeAny indices, MaybeAny indptr, int64_t d, MaybeRows rows,
                     Any candidates, Weights weights, In1 reach, Out1 squares,
                     Array<int32_t, 1> owners, double share, Kept kept, Out1 out) {
    const Matrix x(data, indices, indptr, d, rows);
    const Pairs p = x.pairs(candidates);
    if (weights) x.check(weights->shape(0));
    for (size_t length : {squares.shape(0), owners.shape(0)}) x.check(length);
    check_room(kept, p.x.count);
    require((int64_t)out.shape(0) == p.k && (int64_t)kept.shape(1) == p.k,
            "one place for each candidate is needed");
    const bool single = x.type == 0 && x.storage == 0;
    require(kept.dtype() == (single ? nb::dtype<float>() : nb::dtype<double>()),
            "squares are kept as they are computed");
    const int64_t chunks = (p.x.count + offered_rows - 1) / offered_rows;
    std::vector<int64_t> opened((size_t)chunks);
    std::vector<double> parts((size_t)(chunks * p.k), 0.0);
    Offer o = {p, weights ? weights->data() : nullptr, reach.data(), squares.data(),
               owners.data(), share, kept.data(), 0, 0, parts.data(), opened.data()};
    with_packed(of(x), o.p, true, [&] { execute(of(x).gains(&o)); });
    for (int64_t j = 0; j < p.k; ++j) {
        double total = 0;
        for (size_t i = (size_t)j; i < parts.size(); i += (size_t)p.k) total += parts[i];
        out.data()[j] = total;
    }
    int64_t total = 0;
    for (int64_t each : opened) total += each;
    return total;
}

static void claim(Kept kept, int64_t column, In1 reach, Out1 squares, Array<int32_t, 1> owners,
                  int32_t slot) {
    const bool single = kept.dtype() == nb::dtype<float>();
    require(single || kept.dtype() == nb::dtype<double>(), "squares are float32 or float64");
    require(squares.shape(0) == owners.shape(0), "one value for each row is needed");
    check_room(kept, (int64_t)squares.shape(0));
    require(0 <= column && column < (int64_t)kept.shape(1), "there is no such candidate");
    Pairs p = {};
    p.x.count = (int64_t)squares.shape(0), p.k = (int64_t)kept.shape(1);
    const Offer o = {p, nullptr, reach.data(), squares.data(), owners.data(), 1.0, kept.data(),
                     column, slot, nullptr, nullptr};
    execute(table->kernels[single ? 0 : 1][0].claim(&o));
}

// The first row at which the sum of masses is more than `target`; should rounding leave none, the
// last row with any mass. A row without mass is never drawn.
static int64_t drawn(const Lottery &l, double target, int64_t chunks) {
    double before = 0;
    int64_t chunk = 0, last = 0;
    for (; chunk < chunks && before + l.masses[chunk] <= target; ++chunk) {
        before += l.masses[chunk];
        if (l.masses[chunk] > 0) last = chunk;
    }
    if (chunk == chunks) chunk = last;
    const int64_t first = chunk * offered_rows;
    const int64_t end = first + offered_rows < l.count ? first + offered_rows : l.count;
    int64_t found = first;
    for (int64_t i = first; i < end; ++i) {
        const double mass = (l.weights ? l.weights[i] : 1.0) * l.squares[i];
        if (mass > 0) found = i;
        before += mass;
        if (before > target && mass > 0) break;
    }
    return found;
}

static double pick(In1 squares, Weights weights, In1 uniforms, Array<int64_t, 1> out) {
    require(!weights || weights->shape(0) == squares.shape(0), "one weight for each row is needed");
    require(out.shape(0) == uniforms.shape(0), "one place for each draw is needed");
    const int64_t count = (int64_t)squares.shape(0);
    const int64_t chunks = (count + offered_rows - 1) / offered_rows;
    std::vector<double> masses((size_t)chunks);
    const Lottery l = {squares.data(), weights ? weights->data() : nullptr, count, masses.data()};
    execute(table->mass(&l));
    double total = 0;
    for (double mass : masses) total += mass;
    for (size_t i = 0; i < out.shape(0) && total > 0; ++i)
        out.data()[i] = drawn(l, uniforms.data()[i] * total, chunks);
    return total;
}

void bind_seeding(nb::module_ &m) {
    m.def("gains", gains, MATRIX, EXACT("candidates"), OPTIONAL("weights"), EXACT("reach"),
          EXACT("squares"), EXACT("owners"), "share"_a, EXACT("kept"), EXACT("out"));
    m.def("pick", pick, EXACT("squares"), OPTIONAL("weights"), EXACT("uniforms"), EXACT("out"));
    m.def("claim", claim, EXACT("kept"), "column"_a, EXACT("reach"), EXACT("squares"),
          EXACT("owners"), "slot"_a);
}

}  // namespace ssk
