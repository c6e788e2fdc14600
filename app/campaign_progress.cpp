#include "campaign_progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "command.hpp"

namespace stickslip::app {
namespace {

std::string duration(double seconds) {
  const long s = long(seconds);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
}

}  // namespace

void CampaignProgress::operator()(const campaign::RunnerProgress& progress, const campaign::RunRecord* run,
                                  const campaign::SolverRecord* solver) {
  if (run && solver) {
    Score& score = scores_[solver->label];
    ++score.done;
    if (run->solved) ++score.solved, score.seconds += run->seconds.value_or(0);
  }
  if (progress.seconds - last_drawn_ < 0.2) return;
  last_drawn_ = progress.seconds;
  const std::string text = picture(progress);
  clear();
  fmt::print(stderr, "{}", text);
  std::fflush(stderr);
  lines_ = int(std::count(text.begin(), text.end(), '\n'));
}

std::string CampaignProgress::picture(const campaign::RunnerProgress& progress) const {
  std::vector<std::pair<std::string, Score>> leaders(scores_.begin(), scores_.end());
  std::stable_sort(leaders.begin(), leaders.end(), [](const auto& a, const auto& b) {
    return a.second.solved != b.second.solved ? a.second.solved > b.second.solved
                                              : a.second.seconds < b.second.seconds;
  });
  std::vector<std::vector<std::string>> rows = {{"leading", "solved", "of", "seconds"}};
  for (std::size_t k = 0; k < std::min<std::size_t>(5, leaders.size()); ++k)
    rows.push_back({leaders[k].first, std::to_string(leaders[k].second.solved),
                    std::to_string(leaders[k].second.done),
                    fmt::format("{:.3g}", leaders[k].second.seconds)});
  const std::size_t left = progress.total - progress.finished;
  const double part = progress.total ? double(progress.finished) / double(progress.total) : 1;
  std::string bar;
  for (int k = 0; k < 24; ++k) bar += k < int(24 * part) ? "█" : "░";
  const std::string time_left =
      progress.new_rows ? duration(progress.seconds / double(progress.new_rows) * double(left)) + " left"
                        : "";
  return table(rows) + fmt::format("{} {} finished, {} not solved, {} to do  {}\n", bar, progress.finished,
                                   progress.finished - progress.solved, left, time_left);
}

void CampaignProgress::clear() {
  if (lines_ > 0) fmt::print(stderr, "\033[{}F\033[J", lines_);
  lines_ = 0;
}

}  // namespace stickslip::app
