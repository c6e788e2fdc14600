// A problem as Python sees it: the problem file with arrays that people may write to between solves.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <map>
#include <memory>
#include <string>

#include "python/arrays.hpp"
#include "stickslip/problem_file.hpp"

namespace stickslip::python {

/// q, mu, f, w and b are handed out as arrays of their own; what was written to them is taken over when the problem is used next.
class Problem {
 public:
  explicit Problem(ProblemFile file) : file_(std::make_shared<ProblemFile>(std::move(file))) {}

  Problem(Problem&& other) noexcept
      : file_(std::move(other.file_)), handed_out_(std::move(other.handed_out_)) {}

  const ProblemFile& file() const { return *file_; }
  const std::shared_ptr<ProblemFile>& shared() const { return file_; }
  ProblemInfo& info() { return file_->info; }
  int dimension() const;
  Index contacts() const;
  bool is_global() const { return file_->is_global(); }
  /// Throws an AttributeError of Python's where the problem has the other form.
  const ReducedProblem& reduced(const char* attribute) const;
  const GlobalProblem& global(const char* attribute) const;

  /// The array of a vector by its name: q, mu, f, w, b.
  py::array vector(const std::string& name);
  /// Other numbers; the array follows.
  void set(const std::string& name, py::handle numbers);
  void set_values(const std::string& name, py::handle numbers);
  /// Takes over what was written to the arrays. Throws InputError as the library's set_… do.
  void synchronise();

  /// For the time of a solve: the arrays are taken over, and may not change the problem until the end.
  class Use {
   public:
    explicit Use(Problem& problem) : problem_(problem) {
      problem.synchronise();
      ++problem.uses_;
    }
    ~Use() { --problem_.uses_; }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    Problem& problem_;
  };

 private:
  std::shared_ptr<ProblemFile> file_;
  std::map<std::string, py::array> handed_out_;
  std::atomic<int> uses_ = 0;

  std::span<const double> numbers(const std::string& name) const;
  void store(const std::string& name, std::span<const double> numbers);
};

/// What problem, matrices or path the user gave: an instance of Problem.
py::object make_problem(py::handle W, py::handle q, py::handle mu, const py::dict& others);

}  // namespace stickslip::python
