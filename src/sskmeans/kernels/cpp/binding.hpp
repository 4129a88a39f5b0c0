// What the binding files share: the kernels in use, and how a matrix is handed over.
#pragma once
#include "arrays.hpp"
#include "execute.hpp"

// Without noconvert an array of another type would be copied, and results lost in the copy.
#define EXACT(name) nb::arg(name).noconvert()
#define OPTIONAL(name) nb::arg(name).noconvert().none()
#define MATRIX EXACT("data"), OPTIONAL("indices"), OPTIONAL("indptr"), "d"_a, OPTIONAL("rows")

namespace ssk {

inline const Table *table = baseline_table;

inline const Kernels &of(const Matrix &x) { return table->kernels[x.type][x.storage]; }

// CSR rows need the centres laid out for them first; `own` needs only their lengths.
template <class Run>
void with_packed(const Kernels &kernels, Pairs &p, bool products, Run run) {
    auto space = zeros(0), norms = zeros(0);
    if (p.x.indptr) {
        norms = zeros(p.k);
        p.norms = norms.get();
        if (products) space = zeros(p.x.d * kernels.packed_room(p.k));
        if (products) p.packed = space.get();
        execute(kernels.pack(&p));
    }
    run();
}

void bind_refinement(nb::module_ &m);
void bind_seeding(nb::module_ &m);
void bind_loop(nb::module_ &m);

}  // namespace ssk
