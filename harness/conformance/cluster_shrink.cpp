#include "harness/conformance/cluster_shrink.h"

#include <algorithm>
#include <array>

#include "harness/cases/case.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/conformance/recorder_client.h"
#include "harness/conformance/vectors.h"
#include "harness/runner/shrink_finding.h"

namespace fixpoint::conformance {

namespace {

using document::Result;
using document::Value;

/// The largest number of requests in one round; the rest wait for the next round.
constexpr std::size_t kRoundMax = 100;

constexpr std::array<const char*, 6> kShrunkParts{"in", "doc", "patch", "pod", "old", "case"};

/// One simplification of a request: a member or element is removed, or a scalar becomes a simpler one. `path`
/// consists of positions, from the line's member on.
struct Cut {
  std::vector<std::size_t> path = {};
  Value plain = {};
  bool removes = true;
  std::string webhook = {};  ///< if not empty: this webhook is removed, with everything that names it
};

Value& child_at(Value& at, std::size_t index) {
  return at.is_array() ? at.edit(index) : at.edit_members()[index].value;
}

/// Applies a cut; returns false if its path does not exist.
bool apply(Value& at, const Cut& cut, std::size_t depth) {
  const std::size_t index = cut.path[depth];
  if (index >= at.size()) return false;
  if (depth + 1 < cut.path.size()) return apply(child_at(at, index), cut, depth + 1);
  if (!cut.removes) {
    child_at(at, index) = cut.plain;
  } else if (at.is_array()) {
    auto& elements = at.edit_elements();
    elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(index));
  } else {
    auto& members = at.edit_members();
    members.erase(members.begin() + static_cast<std::ptrdiff_t>(index));
  }
  return true;
}

bool apply(Value& line, const Cut& cut) {
  if (cut.webhook.empty()) return apply(line, cut, 0);
  const auto value = cases::read_case(line["case"]);
  if (!value || !value->webhooks.contains(cut.webhook)) return false;
  line.set("case", cases::write_case(cases::without_webhook(*value, cut.webhook)));
  return true;
}

void add_plainer(const Value& value, const std::vector<std::size_t>& path, std::vector<Cut>& cuts) {
  const auto add = [&](Value plain) {
    cuts.push_back({.path = path, .plain = std::move(plain), .removes = false});
  };
  if (value.is_string() && value.text().size() > 1) add("a");
  if (value.is_string() && !value.spelling().empty()) add(value.text());
  if (value.is_number() && value.text().size() > 1) add(1);
}

bool is_type_name(std::string_view name) { return name == "apiVersion" || name == "kind"; }

/// Lists the cuts below a value, large ones first.
void list_cuts(const Value& value, const std::vector<std::size_t>& path, bool is_case,
               std::vector<Cut>& cuts) {
  std::vector<std::pair<Value, std::vector<std::size_t>>> level{{value, path}};
  while (!level.empty()) {
    std::vector<std::pair<Value, std::vector<std::size_t>>> next;
    for (const auto& [at, here] : level) {
      for (std::size_t i = 0; i < at.size(); ++i) {
        auto below = here;
        below.push_back(i);
        const Value& child = at.is_array() ? at.at(i) : at.members()[i].value;
        // An object of a cluster must keep its apiVersion and kind.
        if (!at.is_array() && is_case && is_type_name(at.members()[i].key.text())) continue;
        cuts.push_back({.path = below});
        add_plainer(child, below, cuts);
        if (!child.empty()) next.emplace_back(child, std::move(below));
      }
    }
    level = std::move(next);
  }
}

std::vector<Cut> cuts_of(const Value& line) {
  std::vector<Cut> cuts;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto& member = line.members()[i];
    if (std::find(kShrunkParts.begin(), kShrunkParts.end(), member.key.text()) == kShrunkParts.end())
      continue;
    list_cuts(member.value, {i}, member.key.text() == "case", cuts);
    add_plainer(member.value, {i}, cuts);
  }
  std::stable_sort(cuts.begin(), cuts.end(),
                   [](const Cut& a, const Cut& b) { return a.path.size() < b.path.size(); });
  if (const auto value = cases::read_case(line["case"])) {
    std::vector<Cut> webhooks;
    for (const auto& [name, backend] : value->webhooks) webhooks.push_back({.webhook = name});
    cuts.insert(cuts.begin(), webhooks.begin(), webhooks.end());
  }
  return cuts;
}

/// Applies all cuts whose paths exist, from the back, so that earlier positions stay valid.
Value with_cuts(Value line, std::vector<Cut> cuts) {
  std::sort(cuts.begin(), cuts.end(), [](const Cut& a, const Cut& b) { return a.path > b.path; });
  for (const Cut& cut : cuts) apply(line, cut);
  return line;
}

/// Returns a request that the recorder reads as the simulator does, or nothing if there is none. The recorder
/// needs a Case in its canonical form, with all defaults written out; a Case with a reference without a
/// target is invalid.
std::optional<Value> askable(Value line) {
  if (line.find("case") == nullptr) return line;
  const auto value = cases::read_case(line["case"]);
  if (!value) return std::nullopt;
  line.set("case", cases::write_case(*value));
  return line;
}

/// Returns the path of the first difference; a smaller request must show the same one.
std::string_view place_of(const Compared& compared) {
  if (compared.differences.empty()) return {};
  return std::string_view(compared.differences.front()).substr(0, compared.differences.front().find(": "));
}

bool shows(const Compared& compared, std::string_view place) {
  return compared.answer == Compared::Answer::disagreed &&
         std::any_of(compared.differences.begin(), compared.differences.end(),
                     [&](const std::string& text) { return text.starts_with(place); });
}

class Shrinker {
 public:
  Shrinker(const Disagreement& found, const Ask& ask, std::size_t asks_max)
      : best_(found), place_(place_of(found.compared)), ask_(ask), left_(asks_max) {}

  std::optional<document::Error> run() {
    for (bool progress = true; progress && left_ > 0;) {
      progress = false;
      const auto cuts = cuts_of(best_.line);
      for (std::size_t from = 0; from < cuts.size() && left_ > 0; from += kRoundMax) {
        const auto to = std::min(from + kRoundMax, cuts.size());
        const auto begin = cuts.begin();
        auto took =
            round({begin + static_cast<std::ptrdiff_t>(from), begin + static_cast<std::ptrdiff_t>(to)});
        if (!took) return took.error();
        if (*took) {
          progress = true;
          break;
        }
      }
    }
    best_.is_shrunk = true;
    return std::nullopt;
  }

  Disagreement best() { return std::move(best_); }

 private:
  /// Returns the lines that still disagree, after sending all of them together. Lines that are no longer
  /// valid requests are not sent.
  Result<std::vector<std::optional<Judged>>> disagreeing(const std::vector<Value>& lines) {
    std::vector<Value> asked;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < lines.size() && asked.size() < left_; ++i) {
      auto line = askable(lines[i]);
      if (!line) continue;
      asked.push_back(*std::move(line));
      asked.back().set("id", "shrinking-" + std::to_string(i));
      places.push_back(i);
    }
    left_ -= asked.size();
    const auto all = judge(asked, ask_, Death::is_a_refusal);
    if (!all) return all.error();
    std::vector<std::optional<Judged>> out(lines.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      const Judged& judged = (*all)[i];
      if (!judged.is_refused && shows(judged.compared, place_)) out[places[i]] = judged;
    }
    return out;
  }

  /// Tries each cut alone, then as many as possible of the cuts that keep the disagreement. Returns true if
  /// at least one did.
  Result<bool> round(const std::vector<Cut>& cuts) {
    std::vector<Value> alone;
    for (const Cut& cut : cuts) alone.push_back(with_cuts(best_.line, {cut}));
    const auto tried = disagreeing(alone);
    if (!tried) return tried.error();
    std::vector<Cut> good;
    const Judged* first = nullptr;
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      if (!(*tried)[i]) continue;
      good.push_back(cuts[i]);
      if (first == nullptr) first = &*(*tried)[i];
    }
    if (first == nullptr) return false;
    std::vector<Value> together;
    for (std::size_t most = good.size(); most > 1; most = (most + 1) / 2) {
      together.push_back(
          with_cuts(best_.line, {good.begin(), good.begin() + static_cast<std::ptrdiff_t>(most)}));
      if (most == 2) break;
    }
    const auto joined = disagreeing(together);
    if (!joined) return joined.error();
    for (const auto& judged : *joined) {
      if (judged) return take(*judged);
    }
    return take(*first);
  }

  bool take(const Judged& judged) {
    const Value id = best_.line["id"];
    best_.line = judged.line;
    best_.line.set("id", id);
    best_.compared = judged.compared;
    return true;
  }

  Disagreement best_;
  const std::string place_;
  const Ask& ask_;
  std::size_t left_;
};

}  // namespace

Result<Disagreement> shrink_disagreement(const Disagreement& found, const Ask& ask, std::size_t asks_max) {
  Shrinker shrinker(found, ask, asks_max);
  if (auto problem = shrinker.run()) return *std::move(problem);
  return shrinker.best();
}

}  // namespace fixpoint::conformance
