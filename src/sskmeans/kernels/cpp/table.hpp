// What the binding file and the instruction-set files say to each other.
//
// Every kernel is compiled once per instruction set (see isa.cpp). Each copy fills one Table; the
// binding picks a table when the module loads. Only plain structs live here: a constructor or an
// inline function would be compiled by every copy under one name, and the linker, free to keep
// any of them, could give AVX-512 code to a machine that has none.
#pragma once
#include <cstddef>
#include <cstdint>

namespace ssk {

// Rows to work on: rows[i] for i < count, or i itself where rows is null. indices and indptr are
// null for dense data.
struct Points {
    const void *data, *indices, *indptr;
    const int64_t *rows;
    int64_t n, d, count;
};

// Rows in eight bits a number: row i is  middle + unit * (scale * codes[i] + what that lost).
struct Coarsening {
    Points x;
    const double *middle;  // (d,)
    double unit;
    int32_t levels, bias;  // codes are whole numbers of at most `levels`, plus the bias
    int64_t width;         // bytes in a row of codes: d rounded up to sixteen
    uint8_t *codes;        // (count, width)
    float *stats;          // (count, 4): see Coarse
};

// Coarse rows and centres, as `Coarsening` made them. A row is scale * its code, and one number
// more, `rest`, at right angles to that: 0, or what codes of a few directions leave out.
struct Coarse {
    const uint8_t *codes, *centre_codes;
    const float *stats, *centre_stats;  // four a row: scale, square of all that, lost length, rest
    const int32_t *bias;  // (k,): takes the bias of the rows out of their products with a centre
    int64_t width;
    double unit, centre_error, centre_square;  // the largest of all centres
    const int64_t *at;     // which rows of `codes` the rows at hand are
    const Coarse *leading; // the same rows and centres in a few directions, or null
};

constexpr int64_t coarse_stats = 4;

// Coarse rows, in `seen` with the directions as centres, to be coarse rows in those directions.
struct Look {
    Coarse seen;
    int64_t count, directions, width;
    double scale;  // what the directions' codes must be multiplied by
    int32_t levels, bias;
    uint8_t *codes;  // (count, width)
    float *stats;    // (count, 4)
};

struct Pairs {
    Points x;
    const void *centres;  // (k, d)
    int64_t k;
    void *packed;              // CSR: centres as (d, padded k), in the dtype of the data
    double *norms;             // CSR: their squared lengths
    const int32_t *labels_in;  // own
    int32_t *labels;           // nearest
    double *best, *second;     // nearest; distances and own write to best
    const Coarse *coarse;      // or null
};

struct Totals {
    Points x;
    const double *weights;
    const int32_t *labels, *leaving;  // clusters that rows go to, and (or null) come from
    int64_t k;
    int64_t parts, slices, rounds;  // copied from Plan
    int64_t round;
    double *buffer;  // parts x (high, low) x (k, d), zeroed; one part adds where the totals go
    double *totals;  // (high, low) x (k, d): what is there is added to
};

struct Columns {
    const void *data;
    const double *weights;
    int64_t n, d, parts, origin;  // steps are taken from the row `origin`
    double *buffer;
    double *low, *high, *variance;
};

struct Roots {
    const double *squares;
    int64_t count;
    void *out;
    double *high;  // one a chunk
};

struct Extent {
    const void *data;
    int64_t count;
    uint64_t *below, *high;  // bits of sizes, one each a chunk
};

struct Centres {
    const void *old_centres, *new_centres;  // (k, d)
    const double *high, *low, *mass, *mass_low;
    int64_t k, d;
    double *out;                // means: (k, d)
    double *squares, *changes;  // steps: (k,)
};

constexpr int64_t reassign_rows = 1024;  // in a chunk

struct Reassign {
    Pairs p;
    const double *weights;
    int32_t *labels;
    double *upper, *lower;
    const double *drift, *other_drift, *half_gap;  // one for each centre
    double outward, inward, floor;                 // how bounds are rounded
    double share;  // of all distances that will be needed, roughly: how many threads it is worth
    bool fresh;    // no row has a label or bounds yet
    int64_t *moved;  // room for count; each chunk writes from its first row's place on
    int32_t *left;   // the labels they had
    int64_t *found, *computed;  // rows that moved, distances it took: one number a chunk
    double *gain;
};

constexpr int64_t offered_rows = 1024;  // in a chunk

// Candidates for the next centre, in `p` as centres.
struct Offer {
    Pairs p;
    const double *weights;
    const double *reach;  // one for each centre held: beyond it a row may be nearer to a candidate
    double *squares;      // of each row, to the nearest centre held
    int32_t *owners;      // which one that is
    double share;         // of the rows that will be open, roughly
    void *kept;           // (chunks, candidates, offered_rows): squares, where a row is open
    int64_t column;       // claim: which candidate is taken, and its number as a centre
    int32_t slot;
    double *gains;    // gains: (chunks, candidates)
    int64_t *opened;  // one number a chunk
};

// Rows to draw from, in proportion to weight times square.
struct Lottery {
    const double *squares, *weights;  // weights may be null
    int64_t count;
    double *masses;  // of each chunk of offered_rows
};

// A kernel cut into chunks that may run in any order, in any thread.
struct Work {
    int64_t chunks;
    size_t scratch;  // zeroed bytes for each thread
    double cost;     // nanoseconds in one thread, roughly
    void (*run)(const void *arguments, int64_t chunk, void *scratch);
    const void *arguments;
};

// How `sums` and `columns` are cut: by shape alone, so that their bits never depend on threads.
// Rounds run one after the other on the same totals: no chunk keeps Ctrl-C waiting.
struct Plan {
    int64_t parts, slices, rounds;
    int64_t numbers;  // doubles in the buffer
};

// The kernels of one element type and one storage.
struct Kernels {
    int64_t (*packed_room)(int64_t k);
    Work (*pack)(const Pairs *);
    Work (*nearest)(const Pairs *);
    Work (*distances)(const Pairs *);
    Work (*own)(const Pairs *);
    Work (*reassign)(const Reassign *);
    Work (*gains)(const Offer *);
    Work (*claim)(const Offer *);
    Plan (*plan_sums)(const Totals *);
    Work (*sums)(const Totals *);
    Work (*merge_sums)(const Totals *);
    Plan (*plan_columns)(const Columns *);
    Work (*columns)(const Columns *);
    Work (*merge_columns)(const Columns *);
    Work (*extent)(const Extent *);
    Work (*roots)(const Roots *);
    Work (*steps)(const Centres *);
    Work (*coarsen)(const Coarsening *);  // dense rows only
};

struct Table {
    const char *name;
    int32_t centre_levels;  // the largest code that a centre may have
    Kernels kernels[2][3];  // float32, float64; dense, CSR with int32 indices, with int64
    Work (*means)(const Centres *);
    Work (*look)(const Look *);
    Work (*mass)(const Lottery *);
};

extern const Table *const baseline_table;
extern const Table *const avx2_table;
extern const Table *const avx512_table;
extern const Table *const avx512vnni_table;

}  // namespace ssk
