// Which of the compiled instruction sets this processor can run.
#pragma once
#include <vector>

#include "table.hpp"

namespace ssk {

// Best first; the baseline is always there.
inline std::vector<const Table *> supported_tables() {
    std::vector<const Table *> tables;
#if defined(SSK_X86_TABLES)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")) {
        if (__builtin_cpu_supports("avx512vnni")) tables.push_back(avx512vnni_table);
        tables.push_back(avx512_table);
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        tables.push_back(avx2_table);
#endif
    tables.push_back(baseline_table);
    return tables;
}

}  // namespace ssk
