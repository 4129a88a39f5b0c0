// What coarse squares say of distances: bounds from both sides, rounded outward.
#pragma once
#include "coarse.hpp"

namespace ssk {
namespace SSK_ISA {

struct Reach {
    const Coarse &c;
    double outward, inward, floor, per_unit, wider, twice_floor;

    Reach(const Coarse &c, double outward, double inward, double floor)
        : c(c), outward(outward), inward(inward), floor(floor),
          per_unit((1 + 1e-12) / c.unit), wider(outward / inward * (1 + 1e-12)),
          twice_floor(2 * floor / inward * (1 + 1e-12)) {}

    // How far a coarse square may err; what rounding took from a row and from a centre.
    double square_error(double size) const { return 0x1p-20 * (size + c.centre_square); }
    double lost(double error) const { return error + c.centre_error; }
    // At least the distance that goes with a coarse square of a row of this size and error.
    double at_most(double square, double size, double error) const {
        const double more = most(square, 0.0) + square_error(size);
        return (__builtin_sqrt(more) + lost(error)) * c.unit * (1 + 1e-12);
    }
    // A lower bound for a centre of at least this coarse square.
    double at_least(double square, double size, double error) const {
        const double less = most(square - square_error(size), 0.0);
        return (__builtin_sqrt(less) - lost(error)) * c.unit * (1 - 1e-12) * inward - floor;
    }
    // Coarse squares beyond this belong to centres that `nearest` finds further than `distance`.
    double limit(double distance, double size, double error) const {
        const double reach = (distance * wider + twice_floor) * per_unit + lost(error);
        return least((reach * reach * (1 + 1e-6) + square_error(size)) * (1 + 0x1p-20), 3e38);
    }
    double above(double square) const { return __builtin_sqrt(square) * outward + floor; }
    double below(double square) const { return __builtin_sqrt(square) * inward - floor; }
};

}  // namespace SSK_ISA
}  // namespace ssk
