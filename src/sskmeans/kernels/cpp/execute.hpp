// Runs a Work on behalf of Python: without the GIL, within the thread limit, looking for Ctrl-C.
#pragma once
#include <nanobind/nanobind.h>

#include <atomic>
#include <cstdlib>
#include <memory>

#include "threads.hpp"

namespace nb = nanobind;

namespace ssk {

inline std::atomic<int> thread_limit{1};
inline bool interrupted() {
    nb::gil_scoped_acquire gil;
    return PyErr_CheckSignals() != 0;
}

inline void execute(const Work &work) {
    constexpr double too_short = 20e3;  // nanoseconds: not worth a fight for the GIL afterwards
    bool finished;
    if (work.cost < too_short) {
        finished = run(work, 1, nullptr);
    } else {
        nb::gil_scoped_release no_gil;
        finished = run(work, thread_limit, interrupted);
    }
    if (!finished) throw nb::python_error();
}

inline std::unique_ptr<double[], void (*)(void *)> zeros(int64_t count) {
    void *space = std::calloc((size_t)count + 1, sizeof(double));
    if (!space) throw std::bad_alloc();
    return {(double *)space, std::free};
}

}  // namespace ssk
