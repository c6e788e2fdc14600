// FCLIB files that are damaged, or whose data are not where or not as large as they claim.
#include "io/hostile.hpp"

namespace stickslip::internal::io_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

using Damage = Hostile;

TEST_F(Damage, EveryTruncationIsRefused) {
  const std::string bytes = read_text(local());
  for (std::size_t size = 1; size < bytes.size(); size += 1 + size / 50) {
    write_text(path_, bytes.substr(0, size));
    EXPECT_NE(message(), "");
  }
  write_text(path_, bytes.substr(0, bytes.size() / 2));
  EXPECT_THAT(message(), StartsWith("is truncated or damaged (truncated file: eof ="));
}

TEST_F(Damage, GroupHeapAtAnUndefinedAddress) {
  // found by fuzzing: libhdf5 1.10.8 crashes on this behind its own file drivers
  const std::string bytes = read_text(local());
  int heaps = 0;
  for (std::size_t at = bytes.find("HEAP"); at != std::string::npos;
       at = bytes.find("HEAP", at + 4), ++heaps) {
    constexpr std::size_t address = 24;  // after signature, version, data size, free list
    write_text(path_, std::string(bytes).replace(at + address, 8, std::string(8, '\xff')));
    EXPECT_NE(message(), "");
  }
  EXPECT_GT(heaps, 3);
}

TEST_F(Damage, EveryByteInvertedIsReadOrRefused) {
  const std::string bytes = read_text(local());
  int refused = 0;
  for (std::size_t at = 0; at < bytes.size(); at += 23) {
    std::string spoiled = bytes;
    spoiled[at] = static_cast<char>(~spoiled[at]);
    write_text(path_, spoiled);
    try {
      read_problem(path_);
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 20);
}

TEST_F(Damage, SizesWithoutStorage) {
  local();
  EXPECT_THAT(after([](const Hdf5Edit& edit) { edit.unwritten("fclib_local/vectors/q", 2147483647); }),
              HasSubstr("fclib_local/vectors/q: claims 17179869176 bytes, but 0 are stored in a file of "));
  EXPECT_EQ(after([](const Hdf5Edit& edit) { edit.unwritten("fclib_local/vectors/q", hsize_t(1) << 40U); }),
            "fclib_local/vectors/q: has 1099511627776 numbers, must have fewer than 2^31");
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t chunk = 1000;
  H5Pset_chunk(creation, 1, &chunk);
  H5Pset_deflate(creation, 9);
  EXPECT_THAT(
      after([&](const Hdf5Edit& edit) { edit.unwritten("fclib_local/vectors/q", 2147483647, creation); }),
      HasSubstr("claims 17179869176 bytes, but 0 are stored"));
  H5Pclose(creation);
  local();
  EXPECT_THAT(after([](const Hdf5Edit& edit) { edit.unwritten("solution/r", 100000000); }),
              HasSubstr("solution/r: claims 800000000 bytes"));
}

TEST_F(Damage, AnUnwrittenSolutionIsZero) {
  local();
  {
    const Hdf5Edit edit(path_);
    edit.unwritten("solution/r", 12);
  }
  EXPECT_EQ(read_problem(path_).solution->r, std::vector<double>(12, 0.0));
}

TEST_F(Damage, CompressedVectorsAreRead) {
  local();
  const std::vector<double> q = full_file(local_problem(3, 4)).solution->u;
  {
    const Hdf5Edit edit(path_);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t chunk = 5;
    H5Pset_chunk(creation, 1, &chunk);
    H5Pset_shuffle(creation);
    H5Pset_deflate(creation, 9);
    edit.unwritten("fclib_local/vectors/q", 12, creation);
    const hid_t set = H5Dopen2(edit.file(), "fclib_local/vectors/q", H5P_DEFAULT);
    ASSERT_GE(H5Dwrite(set, H5T_NATIVE_DOUBLE, 0, 0, H5P_DEFAULT, q.data()), 0);
    H5Dclose(set);
    H5Pclose(creation);
  }
  const ProblemFile file = read_problem(path_);
  EXPECT_TRUE(std::ranges::equal(std::get<ReducedProblem>(file.problem).q(), q));
}

TEST_F(Damage, LinksThatLeadElsewhere) {
  local();
  const std::string rule = "fclib_local/vectors/q: is a soft or external link, must be stored in this file";
  EXPECT_EQ(after([](const Hdf5Edit& edit) {
              edit.remove("fclib_local/vectors/q");
              H5Lcreate_soft("/solution/u", edit.file(), "fclib_local/vectors/q", H5P_DEFAULT, H5P_DEFAULT);
            }),
            rule);
  EXPECT_EQ(after([](const Hdf5Edit& edit) {
              edit.remove("fclib_local/vectors/q");
              H5Lcreate_external("/etc/passwd", "/q", edit.file(), "fclib_local/vectors/q", H5P_DEFAULT,
                                 H5P_DEFAULT);
            }),
            rule);
  local();
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(creation, "/etc/passwd", 0, 96);
  EXPECT_EQ(after([&](const Hdf5Edit& edit) { edit.unwritten("fclib_local/vectors/q", 12, creation); }),
            "fclib_local/vectors/q: is stored in another file, must be stored in this file");
  H5Pclose(creation);
  local();
  const hid_t virtual_creation = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t extent = 12;
  const hid_t space = H5Screate_simple(1, &extent, nullptr);
  H5Pset_virtual(virtual_creation, space, "/tmp/other.h5", "/q", space);
  EXPECT_EQ(
      after([&](const Hdf5Edit& edit) { edit.unwritten("fclib_local/vectors/q", 12, virtual_creation); }),
      "fclib_local/vectors/q: is a virtual dataset, must be stored in this file");
  H5Sclose(space);
  H5Pclose(virtual_creation);
}

}  // namespace
}  // namespace stickslip::internal::io_test
