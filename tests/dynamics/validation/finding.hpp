// The validation problems of contact dynamics: closed forms beside what simulations give (docs/validation.md).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "stickslip/simulation.hpp"

namespace stickslip::validation {

/// One figure of a problem.
struct Finding {
  std::string problem;  ///< "B3"
  std::string what;
  double expected = 0, found = 0;
  double tolerance = 0;  ///< on |found − expected|

  bool good() const { return std::abs(found - expected) <= tolerance; }
};

/// Quick runs are for the tests: fewer steps, as each problem says. Full runs have the lengths of the design.
enum class Length { quick, full };

struct Problem {
  std::string name, title;
  std::function<std::vector<Finding>(Length)> run;
};

const std::vector<Problem>& problems();

// Each group in a file of its own.
std::vector<Problem> free_motion();
std::vector<Problem> dry_friction();
std::vector<Problem> area_contact();
std::vector<Problem> rolling();
std::vector<Problem> impacts();
std::vector<Problem> assemblies();
std::vector<Problem> large_assemblies();
std::vector<Problem> deformable();
std::vector<Problem> elements();
std::vector<Problem> pressed_ball();
std::vector<Problem> plane_contact();

// Helpers.

inline double norm(const Point& a) { return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }
inline Point difference(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
constexpr double degree = M_PI / 180;
/// The vector in world axes of one in body axes.
Point turned(const Quaternion& q, const Point& v);

/// Times at which a sampled function changes its sign, by linear interpolation.
class Crossings {
 public:
  void sample(double t, double value) {
    if (samples_ > 0 && (value < 0) != (last_ < 0))
      times.push_back(last_time_ + (t - last_time_) * last_ / (last_ - value));
    last_ = value;
    last_time_ = t;
    ++samples_;
  }
  std::vector<double> times;

 private:
  double last_ = 0, last_time_ = 0;
  long samples_ = 0;
};

/// log₂ of the quotient of two errors, of a step and of half of it.
inline double order(double coarse, double fine) { return std::log2(std::abs(coarse) / std::abs(fine)); }

/// The order of the error of event times and what follows from them. A single error depends on where in its step the event falls, so means
/// over `count` steps between h and 7h/8 are compared with those of steps half as long.
template <class Error>
double event_order(const Error& error, double h, int count = 8) {
  double coarse = 0, fine = 0;
  for (int k = 0; k < count; ++k) {
    const double step = h * (1 - 0.125 * k / count);
    coarse += std::abs(error(step));
    fine += std::abs(error(step / 2));
  }
  return order(coarse, fine);
}
/// Order one or better; 0.2 leaves room for the scatter of the means.
inline Finding at_least_one(const std::string& problem, const std::string& what, double found) {
  return {problem, what + ": order, at least 1", 1, std::min(found, 1.0), 0.2};
}

/// A box on a tilted plane: the plane through the origin whose normal is tilted by `angle` (degrees) about y, down along +x.
struct Incline {
  double angle, friction;
  Point size = {0.2, 0.1, 0.05};
  double mass = 1;
  double step = 1e-3;
  double restitution = 0;
  Point velocity = {0, 0, 0};

  Point along() const { return {std::cos(angle * degree), 0, -std::sin(angle * degree)}; }
  Point normal() const { return {std::sin(angle * degree), 0, std::cos(angle * degree)}; }
  Scene scene() const;
};
inline constexpr BodyIndex on_incline = 1;

}  // namespace stickslip::validation
