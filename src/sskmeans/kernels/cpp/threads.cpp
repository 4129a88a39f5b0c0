// See threads.hpp. Chunks are handed out by an atomic counter; which thread runs a chunk never
// matters to its result.
#include "threads.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <new>
#include <thread>
#include <vector>

namespace ssk {
namespace {

// Starting a thread and waiting for it costs 20 to 60 microseconds; below this share of work, in
// nanoseconds, it does not pay.
constexpr double worth_a_thread = 200e3;
constexpr std::chrono::milliseconds between_looks(50);

struct State {
    const Work &work;
    std::atomic<int64_t> next{0};
    std::atomic<bool> stop{false}, no_memory{false};
};

void work_through(State &state, bool (*interrupted)()) {
    void *scratch = nullptr;
    if (state.work.scratch && !(scratch = std::calloc(1, state.work.scratch))) {
        state.no_memory = state.stop = true;
        return;
    }
    auto looked = std::chrono::steady_clock::now();
    while (!state.stop.load(std::memory_order_relaxed)) {
        const int64_t chunk = state.next.fetch_add(1, std::memory_order_relaxed);
        if (chunk >= state.work.chunks) break;
        state.work.run(state.work.arguments, chunk, scratch);
        if (!interrupted) continue;
        const auto now = std::chrono::steady_clock::now();
        if (now - looked < between_looks) continue;
        if (interrupted()) state.stop = true;
        looked = std::chrono::steady_clock::now();
    }
    std::free(scratch);
}

// Threads that are stopped and waited for whatever happens to the one that started them.
struct Helpers {
    State &state;
    std::vector<std::thread> running;

    explicit Helpers(State &state) : state(state) {}
    void start(int count) {
        if (count < 1) return;
        running.reserve(count);
        try {
            while (count-- > 0) running.emplace_back([this] { work_through(state, nullptr); });
        } catch (const std::exception &) {
            // The system gives no more threads: those that started, and this one, do the work.
        }
    }
    void wait() {
        for (std::thread &thread : running) thread.join();
        running.clear();
    }
    ~Helpers() {
        state.stop = state.stop || !running.empty();
        wait();
    }
};

}  // namespace

bool run(const Work &work, int threads, bool (*interrupted)()) {
    State state{work};
    const double deserved = std::min(work.cost / worth_a_thread, (double)work.chunks);
    Helpers helpers(state);
    helpers.start((int)std::min((double)threads, deserved) - 1);
    work_through(state, interrupted);
    helpers.wait();
    if (state.no_memory) throw std::bad_alloc();
    return !state.stop;
}

}  // namespace ssk
