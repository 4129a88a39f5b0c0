// All kernels for one instruction set. The build compiles this file once per set, with SSK_ISA
// naming the namespace and the compiler flags that allow its instructions.
//
// No C++ standard header below: inline library code compiled here would be shared, under one
// name, with files that must run on any machine.
#include "centres.hpp"
#include "coarse.hpp"
#include "columns.hpp"
#include "distances.hpp"
#include "extent.hpp"
#include "greedy.hpp"
#include "leading.hpp"
#include "own.hpp"
#include "pick.hpp"
#include "reassign.hpp"
#include "roots.hpp"
#include "sums.hpp"

#define SSK_TEXT_(x) #x
#define SSK_TEXT(x) SSK_TEXT_(x)
#define SSK_JOIN_(a, b) a##b
#define SSK_JOIN(a, b) SSK_JOIN_(a, b)

namespace ssk {
namespace SSK_ISA {

#define SSK_KERNELS(T, TILE, MATRIX)                                               \
    {                                                                              \
        packed_room<T>, pack_work<T>, distance_work<TILE, NearestSink>,            \
            distance_work<TILE, AllSink>, own_work<MATRIX>,                        \
            reassign_work<TILE, MATRIX>, gains_work<TILE>,                         \
            claim_work<TILE::Number>, plan_sums<MATRIX>, sums_work<MATRIX>,          \
            merge_sums_work, plan_columns, columns_work<T>, merge_columns_work,    \
            extent_work<T>, roots_work<T>, steps_work<T>, coarsen_work<T>                                         \
    }

template <class T> using Csr32Tile = CsrTile<T, int32_t>;
template <class T> using Csr64Tile = CsrTile<T, int64_t>;
template <class T> using Csr32 = Csr<T, int32_t>;
template <class T> using Csr64 = Csr<T, int64_t>;

#define SSK_FORMS(T)                                                                     \
    {                                                                                    \
        SSK_KERNELS(T, DenseTile<T>, Dense<T>), SSK_KERNELS(T, Csr32Tile<T>, Csr32<T>),  \
            SSK_KERNELS(T, Csr64Tile<T>, Csr64<T>)                                       \
    }

static const Table table = {
    SSK_TEXT(SSK_ISA), Ints::levels, {SSK_FORMS(float), SSK_FORMS(double)},
    means_work, look_work, mass_work};

}  // namespace SSK_ISA

const Table *const SSK_JOIN(SSK_ISA, _table) = &SSK_ISA::table;

}  // namespace ssk
