// Ownership around the HDF5 C library.
#include "io/hdf5_session.hpp"

#include "io/message.hpp"

namespace stickslip::internal::io {

namespace {

std::mutex& library_mutex() {
  static std::mutex mutex;
  return mutex;
}

/// Keeps the description of the innermost failure, the first one that the walk meets.
herr_t keep_first(unsigned level, const H5E_error2_t* error, void* text) {
  if (level == 0 && error->desc) *static_cast<std::string*>(text) = error->desc;
  return 0;
}

}  // namespace

Hdf5Session::Hdf5Session() : lock_(library_mutex()) {
  H5open();
  H5Eget_auto2(H5E_DEFAULT, &handler_, &handler_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Session::~Hdf5Session() {
  H5Eclear2(H5E_DEFAULT);
  H5Eset_auto2(H5E_DEFAULT, handler_, handler_data_);
}

std::string hdf5_reason() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &text);
  return shown(text);
}

}  // namespace stickslip::internal::io
