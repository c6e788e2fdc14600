// Files are written by the serial HDF5, also where the one for MPI lies beside it, as PETSc brings it.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <fstream>
#include <iterator>
#include <string>

namespace {

TEST(Hdf5, IsTheSerialOne) {
#ifdef H5_HAVE_PARALLEL
  FAIL() << "hdf5.h is that of the library for MPI";
#endif
  Dl_info where;
  ASSERT_NE(dladdr(reinterpret_cast<void*>(&H5open), &where), 0);
  const std::string library = where.dli_fname;
  EXPECT_EQ(library.find("mpi"), std::string::npos) << library;
}

/// The plain name hdf5 may be that of the other one.
TEST(Hdf5, PkgConfigNamesIt) {
  std::ifstream file(STICKSLIP_IO_PC);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  ASSERT_NE(text.find("stickslip_io"), std::string::npos) << STICKSLIP_IO_PC;
  if (STICKSLIP_PC_NAMES_SERIAL) {
    EXPECT_NE(text.find("hdf5-serial"), std::string::npos) << text;
  }
}

}  // namespace
