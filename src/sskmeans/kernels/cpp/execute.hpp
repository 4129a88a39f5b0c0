// Runs a Work on behalf of Python: without the GIL, within the thread limit, looking for Ctrl-C.
//
// While the interpreter shuts down, a daemon thread that asks for the GIL is ended on the spot, and
// the unwinding of C++ frames would abort the process. So `stop_other_threads`, called at exit,
// makes kernels in other threads stop and waits until they have the GIL back; from then on nobody
// lets go of it.
#pragma once
#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <thread>

#include "threads.hpp"

namespace nb = nanobind;

namespace ssk {

inline std::atomic<int> thread_limit{1};
inline std::atomic<bool> closing{false};
inline std::thread::id closer;          // set before `closing`
inline std::atomic<int> without_gil{0};  // calls that will ask for it again

// Whether to stop, with a Python exception set: SystemExit ends a thread without a word.
inline bool interrupted() {
    nb::gil_scoped_acquire gil;
    if (closing && std::this_thread::get_id() != closer) {
        PyErr_SetNone(PyExc_SystemExit);
        return true;
    }
    return PyErr_CheckSignals() != 0;
}

struct WithoutGil {
    struct Count {
        Count() { ++without_gil; }
        ~Count() { --without_gil; }
    } count;  // less only when the GIL is back
    nb::gil_scoped_release release;
};

inline void execute(const Work &work) {
    constexpr double too_short = 20e3;  // nanoseconds: not worth a fight for the GIL afterwards
    bool finished;
    if (work.cost < too_short) {
        finished = run(work, 1, nullptr);
    } else if (closing) {
        finished = !interrupted() && run(work, thread_limit, interrupted);
    } else {
        WithoutGil meanwhile;
        finished = run(work, thread_limit, interrupted);
    }
    if (!finished) throw nb::python_error();
}

inline void stop_other_threads() {
    closer = std::this_thread::get_id();
    closing = true;
    nb::gil_scoped_release others_need_it;
    while (without_gil > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

// A forked child has none of the parent's other threads.
inline void forget_other_threads() { without_gil = 0; }

inline std::unique_ptr<double[], void (*)(void *)> zeros(int64_t count) {
    void *space = std::calloc((size_t)count + 1, sizeof(double));
    if (!space) throw std::bad_alloc();
    return {(double *)space, std::free};
}

}  // namespace ssk
