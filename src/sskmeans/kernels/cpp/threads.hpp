// Runs a Work in as many threads as it deserves. No pool and no OpenMP: threads live for one call,
// so the process can fork at any time between calls, and several callers never wait for each other.
#pragma once
#include "table.hpp"

namespace ssk {

// Runs every chunk. `interrupted` is called now and then, by the calling thread only; once it
// answers true no chunk is begun any more. Returns whether every chunk ran. Throws std::bad_alloc.
bool run(const Work &work, int threads, bool (*interrupted)());

}  // namespace ssk
