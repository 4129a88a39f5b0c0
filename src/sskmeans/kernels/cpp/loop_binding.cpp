// `lloyd`: the whole loop in one call, for tables so small that Python between two kernels would
// take longer than they do. These are the kernels that the long loop calls, in its order, in one
// thread, which keeps the GIL: some milliseconds at most pass between two looks for Ctrl-C.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <vector>

#include "binding.hpp"

using namespace nb::literals;

namespace ssk {

// As `Outcome` in kernels/types.py.
enum Outcome { at_rest, within_tolerance, at_most, ran_empty };

// What labelled rows put into the sums of each slot, and how their cost follows the centres.
struct Held {
    Array<const double, 3> totals;  // (2, k, d)
    In1 mass;                       // (k,)
    In2 means;                      // (g, d), of the slots that have any
    Array<const int64_t, 1> slots;  // (g,)
};
using HeldArrays = std::tuple<Array<const double, 3>, In1, In2, Array<const int64_t, 1>>;

static void two_sum(double a, double b, double &sum, double &lost) {
    sum = a + b;
    const double seen = sum - a;
    lost = (a - (sum - seen)) + (b - seen);
}

template <class T> struct Loop {
    Pairs p;
    const Kernels &kernels;
    const Held *held;
    int32_t *labels;
    std::vector<T> centres, next;
    std::vector<int32_t> nearest;
    std::vector<double> best, second, totals, whole, mass, less, mean, squares, changes;

    Loop(const Pairs &pairs, const Kernels &kernels, const Held *held, int32_t *labels)
        : p(pairs), kernels(kernels), held(held), labels(labels),
          centres((const T *)pairs.centres, (const T *)pairs.centres + pairs.k * pairs.x.d),
          next(centres), nearest(pairs.x.count), best(pairs.x.count), second(pairs.x.count),
          totals(2 * pairs.k * pairs.x.d), whole(totals.size()), mass(pairs.k), less(pairs.k),
          mean(pairs.k * pairs.x.d), squares(pairs.k), changes(pairs.k) {
        p.labels = nearest.data(), p.best = best.data(), p.second = second.data();
        for (int64_t i = 0; i < p.x.count; ++i) labels[i] = -1;
    }

    static void alone(const Work &work) { run(work, 1, nullptr); }

    // Every row to its nearest centre; what all cost, and how many moved.
    int64_t assign(double &cost) {
        p.centres = centres.data();
        alone(kernels.nearest(&p));
        int64_t moved = 0;
        cost = 0;
        for (int64_t i = 0; i < p.x.count; ++i) {
            moved += labels[i] != nearest[i];
            labels[i] = nearest[i];
            cost += best[i];
        }
        for (size_t g = 0; held && g < held->slots.shape(0); ++g) cost += held_cost(g);
        return moved;
    }

    double held_cost(size_t g) const {
        const int64_t d = p.x.d, slot = held->slots.data()[g];
        double square = 0;
        for (int64_t f = 0; f < d; ++f) {
            const double mean = held->means.data()[(int64_t)g * d + f];
            const double step = mean - (double)centres[slot * d + f];
            square += step * step;
        }
        return held->mass.data()[slot] * square;
    }

    // The sums of the rows of each slot and what is held; false if a slot has nothing at all.
    bool sum() {
        totals.assign(totals.size(), 0.0);
        mass.assign(mass.size(), 0.0);
        Totals t = {p.x, nullptr, labels, nullptr, p.k, 1, 1, 1, 0, totals.data(), totals.data()};
        alone(kernels.sums(&t));
        alone(kernels.merge_sums(&t));
        for (int64_t i = 0; i < p.x.count; ++i) mass[labels[i]] += 1;
        whole = totals;
        if (held) add_held();
        for (double each : mass)
            if (each == 0) return false;
        return true;
    }

    void add_held() {
        const int64_t cells = p.k * p.x.d;
        const double *add = held->totals.data();
        for (int64_t c = 0; c < cells; ++c) {
            double total, lost;
            two_sum(totals[c], add[c], total, lost);
            two_sum(total, totals[cells + c] + add[cells + c] + lost, whole[c], whole[cells + c]);
        }
        for (int64_t j = 0; j < p.k; ++j) mass[j] += held->mass.data()[j];
    }

    // The next centres; how far they are from these, squared and summed.
    double step() {
        const int64_t cells = p.k * p.x.d;
        const Centres c = {centres.data(), next.data(), whole.data(), whole.data() + cells,
                           mass.data(), less.data(), p.k, p.x.d, mean.data(), squares.data(),
                           changes.data()};
        alone(table->means(&c));
        for (int64_t i = 0; i < cells; ++i) next[i] = (T)mean[i];
        alone(kernels.steps(&c));
        double shift = 0;
        for (double square : squares) shift += square;
        return shift;
    }

    Outcome refine(double tol, int64_t max_iter, std::vector<double> &costs,
                   std::vector<int64_t> &moves) {
        for (int64_t n_iter = 1; n_iter <= max_iter; ++n_iter) {
            if (n_iter % 16 == 0 && interrupted()) throw nb::python_error();
            double cost;
            const int64_t moved = assign(cost);
            costs.push_back(cost);
            moves.push_back(moved);
            if (!sum()) return ran_empty;
            const double shift = step();
            if (n_iter > 1 && moved == 0 && shift == 0) return at_rest;
            centres.swap(next);
            if (shift <= tol) return finish(within_tolerance);
        }
        return finish(at_most);
    }

    Outcome finish(Outcome why) {
        double cost;
        assign(cost);  // the labels that belong to the last centres
        return why;
    }
};

template <class T>
static nb::tuple run_loop(const Pairs &p, const Kernels &kernels, const Held *held, double tol,
                          int64_t max_iter, int32_t *labels, void *out) {
    Loop<T> loop(p, kernels, held, labels);
    std::vector<double> costs;
    std::vector<int64_t> moves;
    const Outcome outcome = loop.refine(tol, max_iter, costs, moves);
    std::memcpy(out, loop.centres.data(), loop.centres.size() * sizeof(T));
    return nb::make_tuple((int)outcome, costs, moves);
}

static nb::tuple lloyd(Any data, MaybeRows rows, Any centres, std::optional<HeldArrays> arrays,
                       double tol, int64_t max_iter, Array<int32_t, 1> labels, Room out) {
    require(data.ndim() == 2, "data must have shape (n, d)");
    const Matrix x(data, {}, {}, (int64_t)data.shape(1), rows);
    const Pairs p = x.pairs(centres);
    x.check(labels.shape(0));
    require(out.ndim() == 2 && out.dtype() == centres.dtype() && (int64_t)out.shape(0) == p.k &&
            (int64_t)out.shape(1) == p.x.d, "new centres are like the old ones");
    std::optional<Held> held;
    if (arrays) {
        const auto &[totals, mass, means, slots] = *arrays;
        held = Held{totals, mass, means, slots};
        const size_t k = (size_t)p.k, d = (size_t)p.x.d, g = held->slots.shape(0);
        require(held->totals.shape(0) == 2 && held->totals.shape(1) == k &&
                held->totals.shape(2) == d && held->mass.shape(0) == k &&
                held->means.shape(0) == g && held->means.shape(1) == d, "one of each is needed");
    }
    const auto run = x.type == 0 ? run_loop<float> : run_loop<double>;
    return run(p, of(x), held ? &*held : nullptr, tol, max_iter, labels.data(), out.data());
}

void bind_loop(nb::module_ &m) {
    m.def("lloyd", lloyd, EXACT("data"), OPTIONAL("rows"), EXACT("centres"), "held"_a.none(),
          "tol"_a, "max_iter"_a, EXACT("labels"), EXACT("out"));
}

}  // namespace ssk
