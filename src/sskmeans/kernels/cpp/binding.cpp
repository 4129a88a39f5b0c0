// The Python module: lets go of the GIL and runs the kernels of one instruction set. Meaning is
// checked in Python: labels and rows must lie in range. Results go to arrays native.py makes.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <cstring>

#include "binding.hpp"
#include "processor.hpp"

using namespace nb::literals;
using namespace ssk;

extern "C" NB_EXPORT int sskmeans_get_num_threads() { return thread_limit; }
extern "C" NB_EXPORT void sskmeans_set_num_threads(int n) { thread_limit = n < 1 ? 1 : n; }

static void execute_pairs(const Kernels &kernels, Pairs &p, Work (*kernel)(const Pairs *)) {
    with_packed(kernels, p, kernel != kernels.own, [&] { execute(kernel(&p)); });
}

static void nearest(Any data, MaybeAny indices, MaybeAny indptr, int64_t d, MaybeRows rows,
                    Any centres, Array<int32_t, 1> labels, Out1 best, Out1 second) {
    const Matrix x(data, indices, indptr, d, rows);
    Pairs p = x.pairs(centres);
    for (size_t length : {labels.shape(0), best.shape(0), second.shape(0)}) x.check(length);
    p.labels = labels.data(), p.best = best.data(), p.second = second.data();
    execute_pairs(of(x), p, of(x).nearest);
}

static void distances(Any data, MaybeAny indices, MaybeAny indptr, int64_t d, MaybeRows rows,
                      Any centres, Out2 out) {
    const Matrix x(data, indices, indptr, d, rows);
    Pairs p = x.pairs(centres);
    x.check(out.shape(0));
    require((int64_t)out.shape(1) == p.k, "out must have shape (m, k)");
    p.best = out.data();
    execute_pairs(of(x), p, of(x).distances);
}

static void own(Any data, MaybeAny indices, MaybeAny indptr, int64_t d, MaybeRows rows, Any centres,
                Labels labels, Out1 out) {
    const Matrix x(data, indices, indptr, d, rows);
    Pairs p = x.pairs(centres);
    for (size_t length : {labels.shape(0), out.shape(0)}) x.check(length);
    p.labels_in = labels.data(), p.best = out.data();
    execute_pairs(of(x), p, of(x).own);
}

static void sums(Any data, MaybeAny indices, MaybeAny indptr, int64_t d, MaybeRows rows,
                 Weights weights, Labels labels, MaybeLabels leaving, Array<double, 3> totals) {
    const Matrix x(data, indices, indptr, d, rows);
    x.check(labels.shape(0));
    if (weights) x.check(weights->shape(0));
    if (leaving) x.check(leaving->shape(0));
    require(totals.shape(0) == 2 && (int64_t)totals.shape(2) == d,
            "totals must have shape (2, k, d)");
    Totals t = {x.points, weights ? weights->data() : nullptr, labels.data(),
                leaving ? leaving->data() : nullptr, (int64_t)totals.shape(1), 1, 1, 1, 0, nullptr,
                totals.data()};
    const Plan plan = of(x).plan_sums(&t);
    const auto buffer = zeros(plan.parts > 1 ? plan.numbers : 0);
    t.parts = plan.parts, t.slices = plan.slices, t.rounds = plan.rounds;
    t.buffer = plan.parts > 1 ? buffer.get() : t.totals;
    for (; t.round < t.rounds; ++t.round) execute(of(x).sums(&t));
    execute(of(x).merge_sums(&t));
}

static void columns(Any data, Weights weights, int64_t origin, Out1 low, Out1 high,
                    Out1 variance) {
    require(data.ndim() == 2, "data must have shape (n, d)");
    const Matrix x(data, {}, {}, (int64_t)data.shape(1), {});
    require(0 <= origin && origin < x.points.n, "origin must be a row");
    if (weights) x.check(weights->shape(0));
    for (size_t length : {low.shape(0), high.shape(0), variance.shape(0)})
        require((int64_t)length == x.points.d, "one result for each column is needed");
    Columns c = {data.data(), weights ? weights->data() : nullptr, x.points.n, x.points.d, 1,
                 origin, nullptr, low.data(), high.data(), variance.data()};
    if (c.d == 0) return;
    const Plan plan = of(x).plan_columns(&c);
    const auto buffer = zeros(plan.numbers);
    c.parts = plan.parts, c.buffer = buffer.get();
    execute(of(x).columns(&c));
    execute(of(x).merge_columns(&c));
}

template <class T, class B> static double number(uint64_t bits) {
    const B same = (B)bits;
    T value;
    std::memcpy(&value, &same, sizeof(value));
    return (double)value;
}

static nb::tuple extent(Any data) {
    const bool single = data.dtype() == nb::dtype<float>();
    require(data.ndim() == 1 && (single || data.dtype() == nb::dtype<double>()),
            "data must be a row of float32 or float64");
    const Kernels &kernels = table->kernels[single ? 0 : 1][0];
    Extent e = {data.data(), (int64_t)data.shape(0), nullptr, nullptr};
    const Work work = kernels.extent(&e);
    std::vector<uint64_t> below((size_t)work.chunks), high((size_t)work.chunks);
    e.below = below.data(), e.high = high.data();
    execute(work);
    uint64_t lowest = ~(uint64_t)0, highest = 0;
    for (uint64_t each : below) lowest = each < lowest ? each : lowest;
    for (uint64_t each : high) highest = each > highest ? each : highest;
    const auto size = single ? number<float, uint32_t> : number<double, uint64_t>;
    const double least = lowest == ~(uint64_t)0 ? HUGE_VAL : size(lowest + 1);
    return nb::make_tuple(least == least ? least : HUGE_VAL, size(highest));
}

static double roots(In2 squares, Room out) {
    const bool single = out.dtype() == nb::dtype<float>();
    require(out.ndim() == 2 && out.shape(0) == squares.shape(0) &&
            out.shape(1) == squares.shape(1) && (single || out.dtype() == nb::dtype<double>()),
            "a root for each square, in float32 or float64");
    Roots r = {squares.data(), (int64_t)squares.size(), out.data(), nullptr};
    const Work work = table->kernels[single ? 0 : 1][0].roots(&r);
    std::vector<double> high((size_t)work.chunks);
    r.high = high.data();
    execute(work);
    double highest = 0;
    for (double each : high) highest = each > highest ? each : highest;
    return highest;
}

static std::vector<std::string> instruction_sets() {
    std::vector<std::string> names;
    for (const Table *each : supported_tables()) names.push_back(each->name);
    return names;
}

static void use_instructions(const std::string &name) {
    for (const Table *each : supported_tables())
        if (name == each->name) return void(table = each);
    throw nb::value_error("this processor or this build has no such instructions");
}

NB_MODULE(_native, m) {
    table = supported_tables().front();
    m.def("instruction_sets", instruction_sets);
    m.def("use_instructions", use_instructions);
    m.def("centre_levels", [] { return table->centre_levels; });
    m.def("get_num_threads", sskmeans_get_num_threads);
    m.def("set_num_threads", sskmeans_set_num_threads);
    m.def("stop_other_threads", stop_other_threads);
    m.def("forget_other_threads", forget_other_threads);
    m.def("nearest", nearest, MATRIX, EXACT("centres"), EXACT("labels"), EXACT("best"),
          EXACT("second"));
    m.def("distances", distances, MATRIX, EXACT("centres"), EXACT("out"));
    m.def("own", own, MATRIX, EXACT("centres"), EXACT("labels"), EXACT("out"));
    m.def("sums", sums, MATRIX, OPTIONAL("weights"), EXACT("labels"),
          OPTIONAL("leaving"), EXACT("totals"));
    m.def("extent", extent, EXACT("data"));
    m.def("roots", roots, EXACT("squares"), EXACT("out"));
    m.def("columns", columns, EXACT("data"), OPTIONAL("weights"), "origin"_a, EXACT("low"),
          EXACT("high"), EXACT("variance"));
    bind_refinement(m);
    bind_loop(m);
    bind_seeding(m);
}
