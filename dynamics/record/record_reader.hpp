// A record as it is read back: for going on with a run, and for other formats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace stickslip::internal {

class RecordReader {
 public:
  /// Throws InputError, `PATH: …`, where the file is no record.
  explicit RecordReader(const std::filesystem::path& path);
  ~RecordReader();

  /// Attributes of /stickslip.
  std::string text(const std::string& attribute) const;
  double number(const std::string& attribute) const;

  std::vector<std::byte> bytes(const std::string& dataset) const;
  bool has(const std::string& dataset) const;
  /// A whole dataset of numbers, in rows.
  std::vector<double> doubles(const std::string& dataset) const;
  std::vector<std::int64_t> integers(const std::string& dataset) const;
  /// Some rows of it (along the first extent).
  std::vector<double> rows(const std::string& dataset, std::uint64_t first, std::uint64_t count) const;
  std::vector<std::int64_t> integer_rows(const std::string& dataset, std::uint64_t first,
                                         std::uint64_t count) const;
  /// Whole numbers up to 2⁶⁴ − 1, such as keys.
  std::vector<std::uint64_t> natural_rows(const std::string& dataset, std::uint64_t first,
                                          std::uint64_t count) const;
  /// The numbers of one place of the second extent in one row, as those of one body at one time.
  std::vector<double> at(const std::string& dataset, std::uint64_t row, std::uint64_t place) const;
  std::vector<std::string> texts(const std::string& dataset) const;
  std::vector<std::uint64_t> shape(const std::string& dataset) const;

 private:
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace stickslip::internal
