#include "harness/program/mutations.h"

#include <re2/re2.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "harness/document/json.h"
#include "harness/document/rules.h"
#include "harness/program/vectors.h"

namespace fixpoint::program {

namespace files = std::filesystem;
using document::Error;
using document::Rule;
using reports::MutationScore;

namespace {

/// A rule by its part and its id.
using RuleName = std::pair<std::string, std::string>;

/// Notes on which lines which rules speak.
class Listening : public document::RuleWatcher {
 public:
  bool holds(const Rule& rule) override {
    auto& lines = spoke_[{std::string(rule.part), rule.id()}];
    if (lines.empty() || lines.back() != line_) lines.push_back(line_);
    return true;
  }
  void at(std::size_t line) { line_ = line; }
  const std::map<RuleName, std::vector<std::size_t>>& spoke() const { return spoke_; }

 private:
  std::size_t line_ = 0;
  std::map<RuleName, std::vector<std::size_t>> spoke_;
};

/// Switches one rule off.
class SwitchedOff : public document::RuleWatcher {
 public:
  explicit SwitchedOff(const RuleName& name) : name_(name) {}
  bool holds(const Rule& rule) override { return rule.part != name_.first || rule.id() != name_.second; }

 private:
  const RuleName& name_;
};

bool agrees(const Evidence& line) {
  const auto document = document::read_json(line.text, {}, document::Strictness::foreign);
  return document && check_line(*document).answer == Compared::Answer::agreed;
}

/// The rules of the validator, of its warnings and of patches that stand in the sources, by the lines that
/// raise them. A call that takes several lines is known by its first.
struct Sources {
  const char* part;
  const char* place;  ///< a folder or a file
  const char* speaks;
};
constexpr const char* kRaises =
    R"(\berrors\.(required|invalid|duplicate|forbidden|not_\w+|too_\w+)\(|\bcheck_choice\()";
constexpr Sources kSources[] = {{"validation", "harness/apiserver/validation", kRaises},
                                {"warnings", "harness/apiserver/warnings", R"(\bwarner\.add\()"},
                                {"patches", "harness/document/patch.cpp", R"(\b(fail|fail_at|panic)\()"},
                                {"plugins", "harness/apiserver/plugins", R"(\bforbid\()"}};

/// Lines that say what such a call is, and raise nothing.
bool is_declaration(const std::string& line) {
  static const re2::RE2 declares(R"(^\s*(void|bool|Refusal) |Line line|, line\))");
  return re2::RE2::PartialMatch(line, declares);
}

document::Result<std::vector<files::path>> files_of(const files::path& place) {
  std::error_code problem;
  if (files::is_regular_file(place, problem)) return std::vector<files::path>{place};
  std::vector<files::path> found;
  for (const auto& entry : files::directory_iterator(place, problem)) {
    if (entry.path().extension() == ".cpp" && !entry.path().stem().string().ends_with("_test"))
      found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  if (found.empty())
    return Error{"expected the sources of the simulator: run this at the top of the repository",
                 place.string()};
  return found;
}

/// The rules of one part that never spoke: none of their lines did.
document::Result<std::vector<std::string>> silent_rules(const Sources& sources, const std::string& top,
                                                        const std::set<std::string>& spoke) {
  const auto found = files_of(files::path(top) / sources.place);
  if (!found) return found.error();
  const re2::RE2 speaks(sources.speaks);
  std::vector<std::string> silent;
  for (const files::path& path : *found) {
    std::ifstream file(path);
    const std::string name = path.filename().string() + ":";
    std::vector<int> starts;
    int number = 0;
    for (std::string line; std::getline(file, line);) {
      ++number;
      if (re2::RE2::PartialMatch(line, speaks) && !is_declaration(line)) starts.push_back(number);
    }
    for (std::size_t i = 0; i < starts.size(); ++i) {
      const int end = i + 1 < starts.size() ? std::min(starts[i + 1], starts[i] + 4) : starts[i] + 4;
      bool has_spoken = false;
      for (int line = starts[i]; line < end; ++line)
        has_spoken = has_spoken || spoke.contains(name + std::to_string(line));
      if (!has_spoken) silent.push_back(name + std::to_string(starts[i]).append(reports::kNeverSpoke));
    }
  }
  return silent;
}

}  // namespace

document::Result<std::vector<Evidence>> read_evidence(const std::string& corpus) {
  std::vector<files::path> paths;
  std::error_code problem;
  const files::path folder = files::path(corpus) / "conformance";
  for (const auto& entry : files::recursive_directory_iterator(folder, problem)) {
    const bool is_recorded = entry.path().extension() == ".ndjson" &&
                             entry.path().filename() != "hpa.ndjson" &&
                             entry.path().filename() != "named.ndjson";
    if (is_recorded) paths.push_back(entry.path());
  }
  if (paths.empty()) return Error{"expected recorded behaviour, found none", folder.string()};
  std::sort(paths.begin(), paths.end());
  std::vector<Evidence> evidence;
  for (const files::path& path : paths) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
      if (!line.empty()) evidence.push_back({path.string(), line});
    }
  }
  return evidence;
}

document::Result<std::vector<MutationScore>> switch_off_rules(const std::vector<Evidence>& evidence,
                                                              const std::string& top,
                                                              const std::function<bool()>& is_over) {
  const auto ends = [&] { return is_over && is_over(); };
  Listening listening;
  {
    const document::Watching watching(listening);
    for (std::size_t i = 0; i < evidence.size(); ++i) {
      if (ends()) return std::vector<MutationScore>{};
      listening.at(i);
      if (!agrees(evidence[i])) return Error{"a line disagrees with every rule in force", evidence[i].file};
    }
  }
  bool is_cut = false;
  std::map<std::string, MutationScore> scores;
  std::map<std::string, std::set<std::string>> spoke;
  for (const auto& [name, lines] : listening.spoke()) {
    if (is_cut = ends(); is_cut) {
      scores.erase(name.first);
      break;
    }
    MutationScore& score = scores[name.first];
    spoke[name.first].insert(name.second);
    ++score.rules;
    SwitchedOff off(name);
    const document::Watching watching(off);
    const bool is_noticed =
        std::any_of(lines.begin(), lines.end(), [&](std::size_t line) { return !agrees(evidence[line]); });
    score.noticed += is_noticed ? 1 : 0;
    if (!is_noticed) score.survivors.push_back(name.second);
  }
  for (const Sources& sources : kSources) {
    if (is_cut && !scores.contains(sources.part)) continue;
    const auto silent = silent_rules(sources, top, spoke[sources.part]);
    if (!silent) return silent.error();
    MutationScore& score = scores[sources.part];
    score.rules += static_cast<std::int64_t>(silent->size());
    score.survivors.insert(score.survivors.end(), silent->begin(), silent->end());
  }
  std::vector<MutationScore> all;
  for (auto& [part, score] : scores) {
    score.part = part;
    std::sort(score.survivors.begin(), score.survivors.end());
    all.push_back(std::move(score));
  }
  return all;
}

}  // namespace fixpoint::program
