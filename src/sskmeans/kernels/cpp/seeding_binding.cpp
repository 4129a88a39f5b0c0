// What greedy k-means++ calls for each centre.
#include <vector>

#include "binding.hpp"

using namespace nb::literals;

namespace ssk {

// Runs one of the two kernels; how many rows were open.
static int64_t run_offer(const Matrix &x, Offer &o, Work (*kernel)(const Offer *),
                         std::vector<double> &gains) {
    const int64_t chunks = (o.p.x.count + offered_rows - 1) / offered_rows;
    std::vector<int64_t> opened((size_t)chunks);
    gains.assign((size_t)(chunks * o.p.k), 0.0);
    o.gains = gains.data(), o.opened = opened.data();
    with_packed(of(x), o.p, true, [&] { execute(kernel(&o)); });
    int64_t total = 0;
    for (int64_t each : opened) total += each;
    return total;
}

static int64_t gains(Any data, MaybeAny indices, MaybeAny indptr, int64_t d, MaybeRows rows,
                     Any candidates, Weights weights, In1 reach, Out1 squares,
                     Array<int32_t, 1> owners, double share, Out1 out) {
    const Matrix x(data, indices, indptr, d, rows);
    const Pairs p = x.pairs(candidates);
    if (weights) x.check(weights->shape(0));
    for (size_t length : {squares.shape(0), owners.shape(0)}) x.check(length);
    require((int64_t)out.shape(0) == p.k, "one gain for each candidate is needed");
    Offer o = {p, weights ? weights->data() : nullptr, reach.data(), squares.data(),
               owners.data(), share, 0, nullptr, nullptr};
    std::vector<double> parts;
    const int64_t opened = run_offer(x, o, of(x).gains, parts);
    for (int64_t j = 0; j < p.k; ++j) {
        double total = 0;
        for (size_t i = (size_t)j; i < parts.size(); i += (size_t)p.k) total += parts[i];
        out.data()[j] = total;
    }
    return opened;
}

static void claim(Any data, MaybeAny indices, MaybeAny indptr, int64_t d, MaybeRows rows,
                  Any candidate, In1 reach, Out1 squares, Array<int32_t, 1> owners, double share,
                  int32_t slot) {
    const Matrix x(data, indices, indptr, d, rows);
    const Pairs p = x.pairs(candidate);
    require(p.k == 1, "one candidate can be taken");
    for (size_t length : {squares.shape(0), owners.shape(0)}) x.check(length);
    Offer o = {p, nullptr, reach.data(), squares.data(), owners.data(), share, slot, nullptr,
               nullptr};
    std::vector<double> none;
    run_offer(x, o, of(x).claim, none);
}

void bind_seeding(nb::module_ &m) {
    m.def("gains", gains, MATRIX, EXACT("candidates"), OPTIONAL("weights"), EXACT("reach"),
          EXACT("squares"), EXACT("owners"), "share"_a, EXACT("out"));
    m.def("claim", claim, MATRIX, EXACT("candidate"), EXACT("reach"), EXACT("squares"),
          EXACT("owners"), "share"_a, "slot"_a);
}

}  // namespace ssk
