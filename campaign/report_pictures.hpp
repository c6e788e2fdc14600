// Pictures of a campaign's problems, where they came from a family that can be drawn, or where one lies beside the problem's file.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "campaign/records.hpp"

namespace stickslip::campaign {

/// Writes `folder`/pictures/*.svg (or copies what is there) and gives for each problem, by its number in the campaign's list, the path relative to
/// `folder`. For a file NAME.hdf5 the picture is NAME.svg or NAME.png beside it, for one of `simulate --dump-problems`, SCENE-i0000010-56.hdf5, also
/// SCENE.svg. At most so many pictures, of problems that are not too large to be drawn.
std::map<std::size_t, std::string> write_pictures(const Campaign& campaign,
                                                  const std::filesystem::path& folder);

}  // namespace stickslip::campaign
