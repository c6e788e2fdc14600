// Pictures of problems beside the report.

#include "campaign/report_pictures.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "campaign/folder.hpp"
#include "campaign/report_data.hpp"

namespace stickslip::campaign {
namespace {

using testing::ElementsAre;
using testing::Pair;

ProblemRecord problem(const std::string& source) {
  ProblemRecord one;
  one.name = one.source = source;
  one.contacts = 100;
  return one;
}

TEST(report_pictures, families_are_drawn_and_files_have_theirs_beside_them) {
  const tests::Folder folder;
  const auto touch = [&](const std::string& name) { std::ofstream(folder / name) << "<svg/>"; };
  touch("alone.svg");
  touch("drum.svg");
  Campaign campaign;
  campaign.problems = {problem("stack(size=20, seed=1)"), problem("manufactured(size=20, seed=1)"),
                       problem((folder / "alone.hdf5").string()),
                       problem((folder / "drum-i0000010-56.hdf5").string()),
                       problem((folder / "nothing.hdf5").string())};
  const auto pictures = write_pictures(campaign, folder / "report");
  EXPECT_THAT(pictures,
              ElementsAre(Pair(0, "pictures/0.svg"), Pair(2, "pictures/2.svg"), Pair(3, "pictures/3.svg")));
  for (const auto& [k, path] : pictures) EXPECT_TRUE(std::filesystem::exists(folder / "report" / path));
  EXPECT_GT(std::filesystem::file_size(folder / "report" / "pictures/0.svg"), 500u);
  const auto json = nlohmann::json::parse(report_json(campaign, 100, pictures));
  EXPECT_EQ(json["problems"]["picture"][2], "pictures/2.svg");
}

TEST(report_pictures, large_problems_are_not_drawn) {
  const tests::Folder folder;
  Campaign campaign;
  campaign.problems = {problem("stack(size=20, seed=1)")};
  campaign.problems[0].contacts = 100000;
  EXPECT_TRUE(write_pictures(campaign, folder / "report").empty());
  EXPECT_FALSE(std::filesystem::exists(folder / "report" / "pictures"));
}

}  // namespace
}  // namespace stickslip::campaign
