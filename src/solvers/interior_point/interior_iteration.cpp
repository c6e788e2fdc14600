#include "solvers/interior_point/interior_iteration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/dimension.hpp"
#include "base/pieces.hpp"
#include "cone/jordan.hpp"
#include "cone/nesterov_todd.hpp"
#include "cone/project.hpp"
#include "cone/small_matrix.hpp"
#include "problem/contact_sums.hpp"

namespace stickslip::internal {
namespace {

/// Part of the way to the boundary that a step goes at most.
constexpr double boundary = 0.995;
/// Least eigenvalue of x∘y that a step may leave behind, in parts of the mean gap; least σ; a step shorter
/// than this is tried again with more centring.
constexpr double neighbourhood = 1e-3, least_centring = 1e-3, short_step = 0.1;
/// Where conjugate gradients end that count velocities: where those that a corrector leaves over are this part of the path's residual, in the mean over
/// contacts, but not below what its end asks for; or at so many digits. Through springs the largest velocity is fifty to eighty times the mean of 300,000 contacts.
struct Leftover {
  double part_of_residual, least_velocity, fewest_digits;
};
constexpr Leftover of_many = {0.03, 5e-4, 1e-8}, of_very_many = {0.005, 5e-5, 1e-9};

/// The largest α with z + α d ∈ Q, for z inside: −1/λ₁ of Q_{z^{−1/2}} d, infinite where that is ≥ 0. No
/// difference of squares, so that it holds for tangents that vanish (the half line).
template <int D>
double to_boundary(const Vec<D>& z, const Vec<D>& d) {
  const double size = std::sqrt(jordan_determinant<D>(z));
  double normal = z[0] / size * d[0], across = 0;
  for (int i = 1; i < D; ++i) normal -= z[i] / size * d[i];
  const double factor = (normal + d[0]) / (1 + z[0] / size);
  for (int i = 1; i < D; ++i) {
    const double t = d[i] - factor * (z[i] / size);
    across += t * t;
  }
  const double least = normal - std::sqrt(across);
  return least < 0 ? -size / least : std::numeric_limits<double>::infinity();
}

/// λ⁻¹∘z: the solution of λ∘w = z.
template <int D>
Vec<D> jordan_divide(const Vec<D>& lambda, const Vec<D>& z) {
  double lt = 0;
  for (int i = 1; i < D; ++i) lt += lambda[i] * z[i];
  Vec<D> w;
  w[0] = (lambda[0] * z[0] - lt) / jordan_determinant<D>(lambda);
  for (int i = 1; i < D; ++i) w[i] = (z[i] - w[0] * lambda[i]) / lambda[0];
  return w;
}

}  // namespace

class InteriorPoint::Core {
 public:
  virtual ~Core() = default;
  virtual void start_cold(double x, double y) = 0;
  virtual void set_smoothing(double factor) = 0;
  virtual void set_pin(double a, double per_gap) = 0;
  virtual void set_digits(InteriorPoint::Digits digits) = 0;
  virtual void start_at(std::span<const double> r, double margin) = 0;
  virtual void set_law(std::span<const double> s, double theta) = 0;
  virtual Step iterate() = 0;
  virtual void impulses(std::span<double> r) const = 0;
  virtual void projected(std::span<double> r) const = 0;
};

namespace {

template <int D>
class TypedCore final : public InteriorPoint::Core {
  using Step = InteriorPoint::Step;

 public:
  explicit TypedCore(ConicProblem& problem) : p_(problem), n_(problem.n()), mu_(problem.scaled.mu()) {
    shift_.assign(n_, 0.0);
    for (auto* v : {&r_, &dr_, &velocity_}) v->resize(n_ * D);
    for (auto* v : {&x_, &y_, &lambda_, &rho_, &dx_, &dy_, &px_, &py_}) v->resize(n_);
    det_x_.resize(n_), det_y_.resize(n_), xy_.resize(n_), scalings_.resize(n_), blocks_.resize(n_ * D * D);
    curvature_.resize(n_);
    start_cold(1, 1);
  }

  void start_cold(double x, double y) override {
    for (std::size_t i = 0; i < n_; ++i) set(i, {x}, {y});
  }
  void set_smoothing(double factor) override { smoothing_ = factor; }
  void set_pin(double a, double per_gap) override { pin_ = a, pin_per_gap_ = per_gap; }
  void set_digits(InteriorPoint::Digits digits) override { loose_ = digits == InteriorPoint::Digits::few; }

  void start_at(std::span<const double> r, double margin) override {
    p_.scaled.to_scaled(r, r_);
    p_.scaled.velocity(r_, velocity_);
    each([&](std::size_t i) {
      Vec<D> x = load(r_, i), y = load(velocity_, i);
      x[0] *= d(i), y[0] /= d(i);
      if (mu_[i] == 0)
        for (int c = 1; c < D; ++c) x[c] = y[c] = 0;
      y[0] += shift_[i] + theta_ * tangent_norm<D>(y);
      x = project_on_cone<D>(x, 1), y = project_on_cone<D>(y, 1);
      x[0] += margin, y[0] += margin;
      set(i, x, y);
    });
  }

  void set_law(std::span<const double> s, double theta) override {
    theta_ = theta;
    shift_ = p_.scaled_shift(s);
  }

  Step iterate() override {
    const double m = gap(), epsilon = smoothing_ * std::min(1.0, m);
    each([&](std::size_t i) {
      scalings_[i] = nesterov_todd_axis<D>(x_[i], y_[i], det_x_[i], det_y_[i], xy_[i]);
      lambda_[i] = scalings_[i].apply(1, x_[i]);
    });
    residual(epsilon);
    assemble(epsilon);
    accuracy_ = ContactSystem::for_a_path;
    const Index contacts = p_.physical.contacts_in_all();
    const bool very_many = contacts >= InteriorPoint::very_many && p_.through_springs();
    if (InteriorPoint::spares(contacts) || very_many) {
      const Leftover& rule = very_many ? of_very_many : of_many;
      accuracy_.by_gradients = rule.fewest_digits;
      accuracy_.velocities = std::max(rule.part_of_residual * largest_residual(), rule.least_velocity);
    }
    Step step;
    if (!p_.factorise(blocks_.data(), loose_)) return step;

    // Predictor: c = −y.
    each([&](std::size_t i) { px_[i] = add<D>({}, -1, y_[i]); });
    if (!direction(epsilon, ContactSystem::for_a_prediction)) return step;
    const double affine = std::min(1.0, length());
    const double after = sum([&](std::size_t i) {
      return dot<D>(add<D>(lambda_[i], affine, scaled_x(i)), add<D>(lambda_[i], affine, scaled_y(i)));
    });
    const double ratio = std::clamp(after / in_all() / m, 0.0, 1.0);
    second_order(epsilon, affine);

    // Corrector: centring, second order of the products and of φ. A step that gets nowhere is taken once more
    // with more centring, at last without the second order.
    const double wanted = std::min(neighbourhood, 0.9 * centrality(0));
    const double aimed = std::clamp(ratio * ratio * ratio, least_centring, 1.0);
    for (const Centring& centring :
         {Centring{aimed, 1}, Centring{std::max(aimed, 0.3), 1}, Centring{1, 1}, Centring{1, 0}}) {
      if (!correct(epsilon, centring, m)) return step;
      step.length = std::min(1.0, boundary * length());
      if (!std::isfinite(step.length)) return step;
      while (step.length > 1e-6 && centrality(step.length) < wanted) step.length *= 0.7;
      if (step.length > short_step) break;
    }
    move(step.length);
    step.valid = true;
    step.gap = gap();
    residual(smoothing_ * std::min(1.0, step.gap));
    step.residual = largest_residual();
    return step;
  }

  void impulses(std::span<double> r) const override {
    std::vector<double> scaled(n_ * D);
    for (std::size_t i = 0; i < n_; ++i) store(scaled, i, unscaled_x(i));
    p_.scaled.to_physical(scaled, r);
  }

  void projected(std::span<double> r) const override {
    std::vector<double> scaled(n_ * D);
    each([&](std::size_t i) {
      Vec<D> z = unscaled_x(i), u = y_[i];
      u[0] *= d(i);
      z = project_on_cone<D>(add<D>(z, -1, u), mu_[i]);
      store(scaled, i, z);
    });
    p_.scaled.to_physical(scaled, r);
  }

 private:
  /// work(i) for all contacts, and Σ work(i) over those of all ranks, of which there are `in_all`.
  template <class Work>
  void each(const Work& work) const {
    in_pieces(p_.scaled.team(), n_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) work(i);
    });
  }
  template <class Work>
  double sum(const Work& work) const {
    return sum_contacts(p_.physical, work);
  }
  double in_all() const { return double(std::max<Index>(p_.physical.contacts_in_all(), 1)); }
  /// The least work(i) of all contacts of all ranks.
  template <class Work>
  double least(const Work& work) const {
    struct Least {
      double value = std::numeric_limits<double>::infinity();
      void operator+=(const Least& other) { value = std::min(value, other.value); }
    };
    double value = -sum_in_pieces<Least>(p_.scaled.team(), n_, [&](std::size_t begin, std::size_t end) {
                      Least part;
                      for (std::size_t i = begin; i < end; ++i) part += {work(i)};
                      return part;
                    }).value;
    if (Ranks* ranks = p_.physical.ranks()) ranks->largest({&value, 1});
    return -value;
  }

  double d(std::size_t i) const { return mu_[i] > 0 ? mu_[i] : 1.0; }
  static Vec<D> load(const std::vector<double>& v, std::size_t i) {
    Vec<D> z;
    for (std::size_t c = 0; c < D; ++c) z[c] = v[i * D + c];
    return z;
  }
  static void store(std::vector<double>& v, std::size_t i, const Vec<D>& z) {
    for (std::size_t c = 0; c < D; ++c) v[i * D + c] = z[c];
  }
  Vec<D> unscaled_x(std::size_t i) const {
    Vec<D> z = x_[i];
    z[0] /= d(i);
    return z;
  }
  Vec<D> scaled_x(std::size_t i) const { return scalings_[i].apply(1, dx_[i]); }
  Vec<D> scaled_y(std::size_t i) const { return scalings_[i].apply(-1, dy_[i]); }

  void set(std::size_t i, const Vec<D>& x, const Vec<D>& y) {
    x_[i] = x, y_[i] = y;
    det_x_[i] = jordan_determinant<D>(x), det_y_[i] = jordan_determinant<D>(y), xy_[i] = dot<D>(x, y);
  }

  double gap() const {
    return sum([&](std::size_t i) { return xy_[i]; }) / in_all();
  }

  double largest_residual() const {
    const double value = -least([&](std::size_t i) {
      double largest = 0;
      for (double component : rho_[i]) largest = std::max(largest, std::abs(component));
      return -largest;
    });
    return std::max(value, 0.0);
  }

  /// φ: ‖y_T‖ from ε on, (2 − t/ε) t²/ε below, so that neither sticking nor sliding contacts are shifted.
  static double smooth_norm(const Vec<D>& y, double epsilon) {
    const double t = tangent_norm<D>(y);
    return t >= epsilon ? t : (2 - t / epsilon) * t * t / epsilon;
  }
  /// φ'(t)/t.
  static double smooth_slope(const Vec<D>& y, double epsilon) {
    const double t = tangent_norm<D>(y);
    if (t >= epsilon) return t > 0 ? 1 / t : 0;
    return (4 - 3 * t / epsilon) / epsilon;
  }

  /// ρ = D⁻¹(W r + q) + (s + θφ) e₀ − y.
  void residual(double epsilon) {
    each([&](std::size_t i) { store(r_, i, unscaled_x(i)); });
    p_.scaled.velocity(r_, velocity_);
    each([&](std::size_t i) {
      rho_[i] = load(velocity_, i);
      rho_[i][0] = rho_[i][0] / d(i) + shift_[i];
      if (theta_ > 0 && mu_[i] > 0) rho_[i][0] += theta_ * smooth_norm(y_[i], epsilon);
      rho_[i] = add<D>(rho_[i], -1, y_[i]);
    });
  }

  /// J z = z − θ e₀ ∇φᵀ z.
  Vec<D> with_slope(std::size_t i, double epsilon, Vec<D> z) const {
    if (theta_ == 0 || mu_[i] == 0) return z;
    double along = 0;
    for (int c = 1; c < D; ++c) along += y_[i][c] * z[c];
    z[0] -= theta_ * along * smooth_slope(y_[i], epsilon);
    return z;
  }

  /// The blocks D (J F + a) D.
  void assemble(double epsilon) {
    const double pin = pin_ + pin_per_gap_ * std::sqrt(gap());
    each([&](std::size_t i) {
      for (int j = 0; j < D; ++j) {
        Vec<D> column{};
        column[j] = j == 0 ? d(i) : 1.0;
        column = scalings_[i].apply(2, column);
        column = with_slope(i, epsilon, column);
        column[j] += pin * (j == 0 ? d(i) : 1.0);
        column[0] *= d(i);
        for (int c = 0; c < D; ++c) blocks_[(i * D + std::size_t(j)) * D + std::size_t(c)] = column[c];
      }
    });
  }

  /// dx, dy from c (in px_) and ρ, with few digits as said. False: they are not finite.
  bool direction(double epsilon, const ContactSystem::Accuracy& of_a_path) {
    each([&](std::size_t i) {
      Vec<D> b = add<D>(with_slope(i, epsilon, px_[i]), -1, rho_[i]);
      b[0] *= d(i);
      store(dr_, i, b);
    });
    const auto& accuracy = loose_ ? of_a_path : ContactSystem::for_the_last_digit;
    if (!p_.solve(dr_, accuracy)) return false;
    each([&](std::size_t i) {
      dx_[i] = load(dr_, i);
      dx_[i][0] *= d(i);
      dy_[i] = add<D>(px_[i], -1, scalings_[i].apply(2, dx_[i]));
    });
    return true;
  }

  struct Centring {
    double sigma;         ///< part of the gap aimed at
    double second_order;  ///< 1: with the second order of the predictor
  };

  /// Keeps what the predictor says of the second order: products in c₂, of φ in ρ₂.
  void second_order(double epsilon, double affine) {
    each([&](std::size_t i) {
      py_[i] = jordan_product<D>(scaled_x(i), scaled_y(i));
      curvature_[i] = 0;
      if (theta_ == 0 || mu_[i] == 0) return;
      const Vec<D> next = add<D>(y_[i], 1, dy_[i]);
      const double now = smooth_norm(y_[i], epsilon), slope = smooth_slope(y_[i], epsilon);
      double along = 0;
      for (int c = 1; c < D; ++c) along += slope * y_[i][c] * dy_[i][c];
      curvature_[i] = theta_ * affine * affine * (smooth_norm(next, epsilon) - now - along);
    });
  }

  bool correct(double epsilon, const Centring& centring, double m) {
    each([&](std::size_t i) {
      Vec<D> z = add<D>({}, -1, jordan_product<D>(lambda_[i], lambda_[i]));
      z = add<D>(z, -centring.second_order, py_[i]);
      z[0] += centring.sigma * m;
      px_[i] = scalings_[i].apply(1, jordan_divide<D>(lambda_[i], z));
      rho_[i][0] += centring.second_order * curvature_[i];
    });
    const bool finite = direction(epsilon, accuracy_);
    each([&](std::size_t i) { rho_[i][0] -= centring.second_order * curvature_[i]; });
    return finite;
  }

  /// Least eigenvalue of the products x∘y in scaled space after a step, in parts of the mean gap.
  double centrality(double alpha) const {
    const auto eigenvalue = [&](std::size_t i, double& trace) {
      const Vec<D> a = alpha == 0 ? lambda_[i] : add<D>(lambda_[i], alpha, scaled_x(i)),
                   b = alpha == 0 ? lambda_[i] : add<D>(lambda_[i], alpha, scaled_y(i));
      const double product = jordan_determinant<D>(a) * jordan_determinant<D>(b);
      trace = dot<D>(a, b);
      if (!(product > 0) || !(a[0] > 0) || !(b[0] > 0)) return 0.0;
      return product / (trace + std::sqrt(std::max(0.0, trace * trace - product)));
    };
    const double smallest = least([&](std::size_t i) {
      double trace = 0;
      return eigenvalue(i, trace);
    });
    if (!(smallest > 0)) return 0;
    const double traces = sum([&](std::size_t i) {
      double trace = 0;
      eigenvalue(i, trace);
      return trace;
    });
    return smallest * in_all() / traces;
  }

  double length() const {
    return least([&](std::size_t i) {
      return std::min(to_boundary<D>(lambda_[i], scaled_x(i)), to_boundary<D>(lambda_[i], scaled_y(i)));
    });
  }

  void move(double alpha) {
    each([&](std::size_t i) {
      const double eta = scalings_[i].eta;
      const Vec<D> a = add<D>(lambda_[i], alpha, scaled_x(i)), b = add<D>(lambda_[i], alpha, scaled_y(i));
      x_[i] = add<D>(x_[i], alpha, dx_[i]);
      y_[i] = add<D>(y_[i], alpha, dy_[i]);
      det_x_[i] = jordan_determinant<D>(a) / eta;
      det_y_[i] = jordan_determinant<D>(b) * eta;
      xy_[i] = dot<D>(a, b);
    });
  }

  ConicProblem& p_;
  std::size_t n_;
  std::span<const double> mu_;
  std::vector<double> shift_, r_, dr_, velocity_, det_x_, det_y_, xy_, blocks_, curvature_;
  bool loose_ = false;
  ContactSystem::Accuracy accuracy_ = ContactSystem::for_a_path;  // of correctors
  double theta_ = 0, smoothing_ = 0.01, pin_ = 0, pin_per_gap_ = 0;
  std::vector<Vec<D>> x_, y_, lambda_, rho_, dx_, dy_, px_, py_;
  std::vector<NesterovToddAxis<D>> scalings_;
};

}  // namespace

InteriorPoint::InteriorPoint(ConicProblem& problem) {
  with_dimension(problem.scaled.dimension(),
                 [&]<int D>() { core_ = std::make_unique<TypedCore<D>>(problem); });
}
InteriorPoint::~InteriorPoint() = default;
InteriorPoint::InteriorPoint(InteriorPoint&&) noexcept = default;

void InteriorPoint::start_cold(double x, double y) { core_->start_cold(x, y); }
void InteriorPoint::set_smoothing(double factor) { core_->set_smoothing(factor); }
void InteriorPoint::set_pin(double a, double per_gap) { core_->set_pin(a, per_gap); }
void InteriorPoint::set_digits(Digits digits) { core_->set_digits(digits); }
void InteriorPoint::start_at(std::span<const double> r, double margin) { core_->start_at(r, margin); }
void InteriorPoint::set_law(std::span<const double> s, double theta) { core_->set_law(s, theta); }
InteriorPoint::Step InteriorPoint::iterate() { return core_->iterate(); }
void InteriorPoint::impulses(std::span<double> r) const { core_->impulses(r); }
void InteriorPoint::projected(std::span<double> r) const { core_->projected(r); }

}  // namespace stickslip::internal
