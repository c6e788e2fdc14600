// Ownership around the HDF5 C library: identifiers that close themselves, and a quiet, exclusive use of the
// library.
#pragma once

#include <hdf5.h>

#include <mutex>
#include <string>
#include <utility>

namespace stickslip::internal::io {

/// An HDF5 identifier, closed at the end of its life. Negative: the call that made it failed.
class Hdf5Handle {
 public:
  using Closer = herr_t (*)(hid_t);

  Hdf5Handle(hid_t id, Closer close) : id_(id), close_(close) {}
  ~Hdf5Handle() {
    if (id_ >= 0) close_(id_);
  }
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&&) = delete;

  hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

 private:
  hid_t id_;
  Closer close_;
};

/// H5S_ALL without the C cast of its macro: the whole of a dataset.
inline constexpr hid_t whole_space = 0;

/// For its lifetime the library prints nothing, and no other thread of ours is in it (it is not thread safe).
/// The caller's error handler comes back at the end.
class Hdf5Session {
 public:
  Hdf5Session();
  ~Hdf5Session();
  Hdf5Session(const Hdf5Session&) = delete;
  Hdf5Session& operator=(const Hdf5Session&) = delete;

 private:
  std::unique_lock<std::mutex> lock_;
  H5E_auto2_t handler_ = nullptr;
  void* handler_data_ = nullptr;
};

/// The library's own reason for its last failure, in one line; empty when it gives none.
std::string hdf5_reason();

}  // namespace stickslip::internal::io
