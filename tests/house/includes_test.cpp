// Who includes whom: every #include "…" of the tree against the table that the build uses (stickslip_may_know). The linker
// sees only what has a symbol; a header of another room that has none would go unnoticed.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Room {
  std::set<std::string> knows;  ///< rooms by name, itself and what they know included
};

/// The table, with the rooms by folder and the owners of the public headers.
struct House {
  std::map<std::string, Room> rooms;           // by name
  std::map<std::string, std::string> folders;  // folder → name of the room
  std::map<std::string, std::string> owners;   // public header → name of the room
};

std::string name_of(std::string folder) {
  if (folder.starts_with("src/")) folder = folder.substr(4);
  for (char& c : folder)
    if (c == '/') c = '_';
  return folder;
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> all;
  for (std::string word; stream >> word;) all.push_back(word);
  return all;
}

House read_house() {
  House house;
  std::ifstream file(STICKSLIP_MAY_KNOW);
  // folder: rooms: headers, a room after those that it knows
  for (std::string line; std::getline(file, line);) {
    std::istringstream stream(line);
    std::string folder, knows, headers;
    if (!std::getline(stream, folder, ':')) continue;
    std::getline(stream, knows, ':');
    std::getline(stream, headers);
    const std::string name = name_of(folder);
    house.folders[folder] = name;
    Room& room = house.rooms[name];
    room.knows.insert(name);
    for (const std::string& other : words(knows)) {
      EXPECT_TRUE(house.rooms.contains(other)) << name << " may know " << other << ", which is no room";
      const auto& deeper = house.rooms[other].knows;
      room.knows.insert(deeper.begin(), deeper.end());
    }
    for (const std::string& header : words(headers))
      house.owners[header.find('.') == std::string::npos ? header + ".hpp" : header] = name;
  }
  return house;
}

/// The room that a path below the top belongs to, the deepest folder that is one; empty: none.
std::string room_of(const House& house, fs::path path) {
  for (path = path.parent_path(); !path.empty(); path = path.parent_path())
    if (const auto found = house.folders.find(path.generic_string()); found != house.folders.end())
      return found->second;
  return {};
}

const fs::path top = STICKSLIP_SOURCE_DIR;

/// The room of what is included: a public header, a file named from src or from the top, or one beside the includer.
std::string room_of_include(const House& house, const fs::path& includer, const std::string& included) {
  if (included.starts_with("stickslip/")) {
    const auto found = house.owners.find(included.substr(10));
    return found == house.owners.end() ? "" : found->second;
  }
  for (const fs::path& path :
       {fs::path("src") / included, fs::path(included), includer.parent_path() / included})
    if (fs::exists(top / path)) return room_of(house, path.lexically_normal());
  return {};
}

std::vector<std::string> includes(const fs::path& path) {
  std::ifstream file(top / path);
  std::vector<std::string> all;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("#include \"")) all.push_back(line.substr(10, line.find('"', 10) - 10));
  return all;
}

std::vector<fs::path> sources(const fs::path& folder) {
  std::vector<fs::path> all;
  for (const auto& entry : fs::recursive_directory_iterator(top / folder))
    if (const auto ending = entry.path().extension(); ending == ".hpp" || ending == ".cpp" || ending == ".h")
      all.push_back(fs::relative(entry.path(), top));
  return all;
}

TEST(Includes, EveryRoomIncludesOnlyWhatItMayKnow) {
  const House house = read_house();
  ASSERT_GT(house.rooms.size(), 15u);  // the table was read
  std::size_t looked_at = 0;
  std::vector<fs::path> folders = {"src"};
  for (const auto& [folder, name] : house.folders)
    if (!folder.starts_with("src/")) folders.emplace_back(folder);
  for (const fs::path& folder : folders)
    for (const fs::path& path : sources(folder)) {
      const std::string room = room_of(house, path);
      // A folder of a part that is not built is no room.
      if (room.empty()) continue;
      for (const std::string& included : includes(path)) {
        ++looked_at;
        const std::string other = room_of_include(house, path, included);
        EXPECT_TRUE(house.rooms.at(room).knows.contains(other))
            << path.generic_string() << " includes " << included
            << (other.empty() ? ", which is in no room" : " of the room " + other) << "; " << room
            << " may not know it (see src/CMakeLists.txt)";
      }
    }
  EXPECT_GT(looked_at, 500u);  // the files were read
}

TEST(Includes, PublicHeadersIncludeOnlyPublicOnesOfRoomsBelow) {
  const House house = read_house();
  for (const fs::path& path : sources("include/stickslip")) {
    const auto owner = house.owners.find(path.filename().string());
    if (owner == house.owners.end()) continue;  // of a part that is not built
    for (const std::string& included : includes(path)) {
      EXPECT_TRUE(included.starts_with("stickslip/")) << path.generic_string() << " includes " << included;
      const std::string other = room_of_include(house, path, included);
      // The header of everything includes what is there, of any part.
      if (path.filename() == "stickslip.hpp") continue;
      EXPECT_TRUE(house.rooms.at(owner->second).knows.contains(other))
          << path.generic_string() << " of the room " << owner->second << " includes " << included;
    }
  }
}

TEST(Includes, ExamplesUseOnlyWhatIsPublic) {
  for (const fs::path& path : sources("examples"))
    for (const std::string& included : includes(path))
      EXPECT_TRUE(included.starts_with("stickslip/")) << path.generic_string() << " includes " << included;
}

}  // namespace
