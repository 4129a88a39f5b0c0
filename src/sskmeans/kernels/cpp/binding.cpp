// The Python module: lets go of the GIL and runs the kernels of one instruction set. Meaning is
// checked in Python: labels and rows must lie in range. Results go to arrays native.py makes.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>

#include "arrays.hpp"
#include "execute.hpp"
#include "processor.hpp"

using namespace nb::literals;
using namespace ssk;

static const Table *table = baseline_table;

extern "C" NB_EXPORT int sskmeans_get_num_threads() { return thread_limit; }
extern "C" NB_EXPORT void sskmeans_set_num_threads(int n) { thread_limit = n < 1 ? 1 : n; }

static const Kernels &of(const Matrix &x) { return table->kernels[x.type][x.storage]; }

// CSR rows need the centres laid out for them first; `own` needs only their lengths.
template <class Run>
static void with_packed(const Kernels &kernels, Pairs &p, bool products, Run run) {
    auto space = zeros(0), norms = zeros(0);
    if (p.x.indptr) {
        norms = zeros(p.k);
        p.norms = norms.get();
        if (products) space = zeros(p.x.d * kernels.padded(p.k));
        if (products) p.packed = space.get();
        execute(kernels.pack(&p));
    }
    run();
}

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
                 Weights weights, Labels labels, Array<double, 3> totals) {
    const Matrix x(data, indices, indptr, d, rows);
    x.check(labels.shape(0));
    if (weights) x.check(weights->shape(0));
    require(totals.shape(0) == 2 && (int64_t)totals.shape(2) == d,
            "totals must have shape (2, k, d)");
    Totals t = {x.points, weights ? weights->data() : nullptr, labels.data(),
                (int64_t)totals.shape(1), 1, 1, 1, 0, nullptr, totals.data()};
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
    int64_t total = 0, tightened = 0, opened = 0;
    double gain = 0;
    for (int64_t chunk = 0; chunk < chunks; ++chunk) {
        const int64_t from = chunk * reassign_rows, count = found[chunk];
        std::memmove(r.moved + total, r.moved + from, (size_t)count * sizeof(int64_t));
        std::memmove(r.left + total, r.left + from, (size_t)count * sizeof(int32_t));
        total += count, tightened += r.tightened[chunk], opened += r.opened[chunk];
        gain += r.gain[chunk];
    }
    return nb::make_tuple(total, tightened, opened, gain);
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
    m.def("get_num_threads", sskmeans_get_num_threads);
    m.def("set_num_threads", sskmeans_set_num_threads);
    m.def("stop_other_threads", stop_other_threads);
    m.def("forget_other_threads", forget_other_threads);
    // Without noconvert an array of another type would be copied, and results lost in the copy.
    #define EXACT(name) nb::arg(name).noconvert()
    #define OPTIONAL(name) nb::arg(name).noconvert().none()
    #define MATRIX EXACT("data"), OPTIONAL("indices"), OPTIONAL("indptr"), "d"_a, OPTIONAL("rows")
    m.def("nearest", nearest, MATRIX, EXACT("centres"), EXACT("labels"), EXACT("best"),
          EXACT("second"));
    m.def("distances", distances, MATRIX, EXACT("centres"), EXACT("out"));
    m.def("own", own, MATRIX, EXACT("centres"), EXACT("labels"), EXACT("out"));
    m.def("sums", sums, MATRIX, OPTIONAL("weights"), EXACT("labels"), EXACT("totals"));
    m.def("columns", columns, EXACT("data"), OPTIONAL("weights"), "origin"_a, EXACT("low"),
          EXACT("high"), EXACT("variance"));
    m.def("means", means, EXACT("high"), EXACT("low"), EXACT("mass"), EXACT("mass_low"),
          EXACT("out"));
    m.def("steps", steps, EXACT("before"), EXACT("after"), EXACT("high"), EXACT("mass"),
          EXACT("squares"), EXACT("changes"));
    m.def("reassign", reassign, MATRIX, EXACT("centres"), OPTIONAL("weights"), EXACT("labels"),
          EXACT("upper"), EXACT("lower"), EXACT("moves"), EXACT("rounding"), "share"_a,
          EXACT("moved"), EXACT("left"));
}
