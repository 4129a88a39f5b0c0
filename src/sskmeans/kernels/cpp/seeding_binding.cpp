// What greedy k-means++ calls for each centre.
#include <vector>

#include "binding.hpp"

using namespace nb::literals;

namespace ssk {

using Kept = nb::ndarray<nb::ndim<2>, nb::c_contig, nb::device::cpu>;

static int64_t gains(Any data, MaybeAny indices, MaybeAny indptr, int64_t d, MaybeRows rows,
                     Any candidates, Weights weights, In1 reach, Out1 squares,
                     Array<int32_t, 1> owners, double share, Kept kept, Out1 out) {
    const Matrix x(data, indices, indptr, d, rows);
    const Pairs p = x.pairs(candidates);
    if (weights) x.check(weights->shape(0));
    for (size_t length : {squares.shape(0), owners.shape(0), kept.shape(0)}) x.check(length);
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
    require(kept.shape(0) == squares.shape(0) && kept.shape(0) == owners.shape(0),
            "one value for each row is needed");
    require(0 <= column && column < (int64_t)kept.shape(1), "there is no such candidate");
    Pairs p = {};
    p.x.count = (int64_t)kept.shape(0), p.k = (int64_t)kept.shape(1);
    const Offer o = {p, nullptr, reach.data(), squares.data(), owners.data(), 1.0, kept.data(),
                     column, slot, nullptr, nullptr};
    execute(table->kernels[single ? 0 : 1][0].claim(&o));
}

void bind_seeding(nb::module_ &m) {
    m.def("gains", gains, MATRIX, EXACT("candidates"), OPTIONAL("weights"), EXACT("reach"),
          EXACT("squares"), EXACT("owners"), "share"_a, EXACT("kept"), EXACT("out"));
    m.def("claim", claim, EXACT("kept"), "column"_a, EXACT("reach"), EXACT("squares"),
          EXACT("owners"), "slot"_a);
}

}  // namespace ssk
