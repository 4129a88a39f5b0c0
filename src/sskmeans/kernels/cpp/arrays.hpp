// The arrays that Python hands over, checked: element type, shape, contiguity. Never copied.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include "table.hpp"

namespace nb = nanobind;

namespace ssk {

template <class T, size_t N>
using Array = nb::ndarray<T, nb::ndim<N>, nb::c_contig, nb::device::cpu>;
using Any = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;
using MaybeAny = std::optional<Any>;
using MaybeRows = std::optional<Array<const int64_t, 1>>;
using Weights = std::optional<Array<const double, 1>>;
using Labels = Array<const int32_t, 1>;
using MaybeLabels = std::optional<Labels>;
using Room = nb::ndarray<nb::c_contig, nb::device::cpu>;  // float32 or float64, to be filled
using In1 = Array<const double, 1>;
using In2 = Array<const double, 2>;
using Out1 = Array<double, 1>;
using Out2 = Array<double, 2>;

inline void require(bool held, const char *message) {
    if (!held) throw nb::value_error(message);
}

struct Matrix {
    Points points;
    int type, storage;  // indices into Table::kernels
    nb::dlpack::dtype dtype;

    Matrix(const Any &data, const MaybeAny &indices, const MaybeAny &indptr, int64_t d,
           const MaybeRows &rows) {
        dtype = data.dtype();
        type = dtype == nb::dtype<float>() ? 0 : 1;
        require(type == 0 || dtype == nb::dtype<double>(), "data must be float32 or float64");
        storage = 0;
        if (indices) {
            const bool small = indices->dtype() == nb::dtype<int32_t>();
            require(small || indices->dtype() == nb::dtype<int64_t>(), "indices: int32 or int64");
            require(indptr && indptr->dtype() == indices->dtype() && indptr->ndim() == 1,
                    "indptr and indices must have one dtype");
            storage = small ? 1 : 2;
        } else {
            require(data.ndim() == 2 && (int64_t)data.shape(1) == d, "data must have shape (n, d)");
        }
        const int64_t n = indices ? (int64_t)indptr->shape(0) - 1 : (int64_t)data.shape(0);
        points = {data.data(), indices ? indices->data() : nullptr,
                  indices ? indptr->data() : nullptr, rows ? rows->data() : nullptr,
                  n, d, rows ? (int64_t)rows->shape(0) : n};
    }
    Pairs pairs(const Any &centres) const {
        require(centres.ndim() == 2 && (int64_t)centres.shape(1) == points.d &&
                centres.shape(0) > 0 && centres.dtype() == dtype,
                "centres must have shape (k, d) and the dtype of the data");
        return {points, centres.data(), (int64_t)centres.shape(0), nullptr, nullptr, nullptr,
                nullptr, nullptr, nullptr, nullptr};
    }
    void check(size_t length) const {
        require((int64_t)length == points.count, "one value for each row is needed");
    }
};

}  // namespace ssk
