// The families with the options that people change, as types: GaussSeidel{.relaxation = 0.9}. A value that is left alone is the
// family's own. What a type does not have, its text has: "gs(relaxation=0.9, order=coloured)"; `describe(name)` lists all.
//
//   Solver solver(GaussSeidel{.relaxation = 0.9, .anderson = 5}.name());
#pragma once

#include <optional>
#include <string>

#include "stickslip/export.hpp"

namespace stickslip {

/// Nonsmooth Gauss–Seidel.
struct STICKSLIP_EXPORT GaussSeidel {
  enum class Order { automatic, given, shuffled, reshuffled, symmetric, bandwidth, coloured };
  std::optional<double> relaxation = {};  ///< ω in (0, 2]; below 1 damps, above 1 seldom pays
  std::optional<long> anderson = {};      ///< differences mixed, 0 to 50; 5 to 10 where sweeps are slow
  std::optional<Order> order = {};
  std::optional<long> seed = {};  ///< of the shuffled orders
  std::string name() const;
};

/// Nonsmooth Newton on Φ(u, r) = 0.
struct STICKSLIP_EXPORT Newton {
  enum class Map { natural, alart_curnier, jean_moreau, fischer_burmeister };
  enum class Search { none, goldstein_price, armijo };
  std::optional<Map> map = {};
  std::optional<Search> search = {};
  std::optional<double> regularisation = {};  ///< a of W + aI, scaled, in [0, 1]; 0: as published
  std::optional<long> sweeps = {};            ///< Gauss–Seidel sweeps where it makes no progress; 0: none
  std::string name() const;
};

/// Proximal point around Newton's method.
struct STICKSLIP_EXPORT Proximal {
  std::optional<double> alpha0 = {};     ///< first α in scaled units, > 0; larger for violent loads
  std::optional<double> alpha_max = {};  ///< largest α
  std::optional<double> inner_factor =
      {};  ///< of the outer residual, at which an inner problem is solved, in (0, 1]
  std::string name() const;
};

/// The alternating direction method of multipliers.
struct STICKSLIP_EXPORT Admm {
  std::optional<double> rho =
      {};  ///< first penalty in scaled units, ≥ 0; 0: by the redundancy of the contacts
  std::optional<double> relaxation = {};  ///< in (0, 2]; 1.5 to 1.8 is usual
  std::optional<long> anderson = {};      ///< differences mixed, 0 to 50
  std::string name() const;
};

/// The nonconvex interior point method.
struct STICKSLIP_EXPORT InteriorPoint {
  std::optional<long> paths = {};  ///< at most, no two from the same start
  std::string name() const;
};

}  // namespace stickslip
