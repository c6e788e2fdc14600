// A picture of a record or a problem without a window: the page itself, drawn by a headless Chromium.
#pragma once

#include <filesystem>
#include <string>

#include "viewer/site.hpp"

namespace stickslip::viewer {

struct PictureChoice {
  double time = -1;  ///< s, the nearest frame; < 0: the last one
  int width = 1280, height = 800;
  std::string show;  ///< what the page shows, as in its address after the #: chains&colour=speed
};

/// Whether there is a Chromium to draw with.
bool has_browser();

/// Writes a PNG file. Throws MissingComponent without Chromium, OutputError where it failed, with its last words.
void write_png(Site& site, const PictureChoice& choice, const std::filesystem::path& target);

}  // namespace stickslip::viewer
