// The bodies of a record as the page draws them.
#pragma once

#include <vector>

#include "dynamics/record/record_reader.hpp"
#include "viewer/geometry.hpp"

namespace stickslip::viewer {

/// Bodies that move in the order of the record, then driven obstacles, then fixed ones. Throws InputError.
std::vector<ShownBody> shown_bodies(const internal::RecordReader& record);

/// Says where fixed planes and meshes are by points near `origin`, or near themselves: numbers that are small where the page's have 24 bits.
void bring_near(std::vector<ShownBody>& bodies, const internal::Vector& origin);

}  // namespace stickslip::viewer
