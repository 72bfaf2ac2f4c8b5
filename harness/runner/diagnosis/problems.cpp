#include "harness/runner/diagnosis/problems.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "harness/apiserver/types/walk.h"
#include "harness/cases/redaction.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/runner/diagnosis/cause.h"
#include "harness/runner/diagnosis/guard.h"
#include "harness/runner/diagnosis/title.h"
#include "harness/runner/fingerprint.h"
#include "harness/runner/learning/subject.h"

namespace fixpoint::runner {

namespace {

using cases::Finding;
using cases::Problem;

/// Returns the injector behind the finding's webhook, without its release; the webhook's name if it is not
/// bundled.
std::string subject_of(const Finding& finding) {
  if (finding.sequence) return without_release(finding.sequence->subject);
  const auto backend = finding.value.webhooks.find(finding.webhook);
  if (backend != finding.value.webhooks.end())
    if (const auto* injector = std::get_if<cases::InjectorName>(&backend->second))
      return without_release(injector->name);
  return std::string(cases::own_name_of(finding.webhook));
}

/// Returns the cause of a finding; one of an older version has none, and gets its property and its path
/// instead.
cases::Cause cause_of(const Finding& finding) {
  cases::Cause cause = finding.cause.value_or(
      cases::Cause{.part = "", .place = finding.evidence.path, .symptom = finding.property});
  if (cause.part.empty()) cause.part = subject_of(finding);
  return cause;
}

/// The members of a place without its keys, and those of its keys that are not the user's.
struct Parts {
  std::vector<std::string> members;
  std::set<std::string> keys;
};
Parts parts_of(std::string_view place) {
  Parts parts;
  for (PlaceStep& step : steps_of(place)) {
    if (!step.is_key)
      parts.members.push_back(std::move(step.text));
    else if (step.text != "*" && step.text != "added")
      parts.keys.insert(std::move(step.text));
  }
  return parts;
}

bool is_newer(const apiserver::Field& field) { return field.since > apiserver::kOldestLibrary; }

/// Returns true if the path is of a field, or inside one, that the oldest library of a webhook does not know;
/// or of an object that may have had nothing but such a field.
bool is_newer_than_a_library(std::string_view path) {
  std::string known;
  const apiserver::Field* field = nullptr;
  for (const PlaceStep& step : steps_of(path)) {
    known += step.is_key ? "[]" : (known.empty() ? "" : ".") + step.text;
    if (step.is_key) continue;
    field = apiserver::field_at(known);
    if (field == nullptr || is_newer(*field)) return true;
  }
  const bool is_one_object =
      field != nullptr && field->type != nullptr && field->many == apiserver::Many::one;
  return is_one_object && std::ranges::any_of(field->type->fields, is_newer);
}

/// A library that drops unknown fields does so in many places: the title names one of them.
void title_by_library(Problem& problem, const std::vector<const Finding*>& findings) {
  if (!problem.repair || problem.repair->operation != "unknown-fields") return;
  std::set<std::string> places;
  bool is_of_library = false;
  for (const Finding* finding : findings) {
    places.insert(cause_of(*finding).place);
    is_of_library = is_of_library || cause_of(*finding).symptom == "newer-fields" ||
                    is_newer_than_a_library(finding->evidence.path);
  }
  if (places.size() < 2 || !is_of_library) return;
  places.erase(problem.repair->operation);  // any field that the webhook does not know is no place
  const std::string first = places.contains(problem.place) ? problem.place : *places.begin();
  problem.title = "drops fields that it does not know: " + first;
  if (places.size() > 1) problem.title += " and " + std::to_string(places.size() - 1) + " more";
}

/// Returns the object of a Pod that has the field: the Pod's spec, one of its containers, or a member of
/// these such as a probe.
std::string object_around(std::string_view place) {
  constexpr std::size_t kDeepest = 3;
  const Parts parts = parts_of(place);
  std::string object;
  for (std::size_t i = 0; i < kDeepest && i + 1 < parts.members.size(); ++i) object += parts.members[i] + ".";
  return object;
}

/// Returns the repair that folds findings: the one that heals it; for fields that are newer than a library,
/// the one that is named for them. A webhook that goes by the places of containers loses different fields,
/// which is still one repair; fields that every library knows get lost for each object by itself.
std::optional<cases::Repair> folding_repair(const Finding& finding) {
  const cases::Cause cause = cause_of(finding);
  const bool is_newer_field = is_newer_than_a_library(finding.evidence.path);
  if (!finding.repair && (cause.symptom == "newer-fields" || (cause.symptom == "lost" && is_newer_field)))
    return cases::Repair{"keep-fields", "unknown-fields"};
  if (!finding.repair || cause.place.empty()) return finding.repair;
  if (finding.repair->kind == "keep-fields" && !is_newer_field)
    return cases::Repair{finding.repair->kind, object_around(cause.place)};
  if (finding.repair->kind != "look-up-by-name" || cause.symptom != "lost") return finding.repair;
  return cases::Repair{finding.repair->kind, cause.place.substr(0, cause.place.find('['))};
}

/// Findings grouped by the names that fold them, each group under its first name.
class Groups {
 public:
  void join(const std::string& name, const std::string& other) {
    const std::string a = first_of(name), b = first_of(other);
    leader_[std::max(a, b)] = std::min(a, b);
  }
  std::string first_of(const std::string& name) const {
    const auto above = leader_.find(name);
    return above == leader_.end() || above->second == name ? name : first_of(above->second);
  }

 private:
  std::map<std::string, std::string> leader_ = {};
};

/// Returns the key at the end of a place that is an element; empty if the element is the user's or if the
/// place is no element.
std::string element_at(std::string_view place) {
  const auto steps = steps_of(place);
  const bool is_own =
      !steps.empty() && steps.back().is_key && steps.back().text != "*" && steps.back().text != "added";
  return is_own ? steps.back().text : "";
}

/// Returns true if two places belong together: one contains the other, or both are an element of the
/// webhook's own with the same key, such as a volume and its mounts.
bool are_related(const std::string& a, const std::string& b) {
  const Parts one = parts_of(a), other = parts_of(b);
  const bool is_same_element = !element_at(a).empty() && element_at(a) == element_at(b);
  const auto shorter = std::min(one.members.size(), other.members.size());
  const bool holds = std::equal(
      one.members.begin(), one.members.begin() + static_cast<std::ptrdiff_t>(shorter), other.members.begin());
  const bool is_in_containers = shorter == 2 && one.members[1] == "containers";  // any container is no place
  const bool agrees =
      one.keys.empty() || other.keys.empty() ? shorter >= 2 && !is_in_containers : one.keys == other.keys;
  return is_same_element || (holds && agrees);
}

/// Returns the kind of change that a finding is about: adds, replaces, removes, moves, grows, refuses or
/// crashes. A word is of a symptom, where that says it, else of the place that the webhook changed.
std::string change_of(const Finding& finding, const cases::Cause& cause) {
  struct Row {
    std::string_view symptom, change;
  };
  static constexpr std::array kRows = std::to_array<Row>({{"duplicate", "adds"},
                                                          {"order", "moves"},
                                                          {"panic", "crashes"},
                                                          {"answers", "crashes"},
                                                          {"fails-inside", "refuses"},
                                                          {"newer-fields", "removes"},
                                                          {"lost", "removes"},
                                                          {"numbers", "replaces"},
                                                          {"zeros", "adds"}});
  if (std::string kind = kind_of_change(cause.change); !kind.empty()) return kind;
  const auto row =
      std::find_if(kRows.begin(), kRows.end(), [&](const Row& one) { return one.symptom == cause.symptom; });
  if (row != kRows.end()) return std::string(row->change);
  if (cause.symptom == "unstable" && finding.verdict == "growing") return "grows";
  return "replaces";
}

/// Returns true if the finding is about an answer that the API server does not accept.
bool is_about_answer(const cases::Cause& cause) {
  return cause.symptom == "protocol" || cause.symptom == "answers";
}

/// Joins the findings about related places that one smallest Case shows.
void join_by_case(std::span<const Finding> findings, Groups& groups) {
  std::map<std::string, std::vector<const Finding*>> by_case;
  for (const Finding& finding : findings)
    if (!finding.sequence) by_case[cases::canonical_text(finding.value)].push_back(&finding);
  for (const auto& [text, of_it] : by_case) {
    for (std::size_t i = 0; i < of_it.size(); ++i) {
      const cases::Cause a = cause_of(*of_it[i]);
      for (std::size_t j = 0; j < i; ++j) {
        const cases::Cause b = cause_of(*of_it[j]);
        const bool are_one = are_related(a.place, b.place) || (is_about_answer(a) && is_about_answer(b));
        if (a.part == b.part && of_it[i]->webhook == of_it[j]->webhook && are_one)
          groups.join(problem_id(*of_it[i]), problem_id(*of_it[j]));
      }
    }
  }
}

/// Returns the text that alone joins a finding with others, whatever else differs: the message of a call that
/// fails, or an element whose name the webhook derives from the object's, so that it does not recognise it
/// again. Empty if there is none.
std::string thing_of(const Finding& finding, const cases::Cause& cause) {
  const std::string& path = finding.evidence.path;
  if (is_refused_update(finding)) return "update";
  const bool is_failing_call = path == "allowed" || path == "webhook";
  if (const std::string crash = crash_of(finding); !crash.empty()) return "crash:" + without_digits(crash);
  if (is_failing_call && finding.evidence.value.is_string())
    return "message:" + without_digits(finding.evidence.value.text());
  for (const PlaceStep& step : steps_of(cause.place))
    if (step.is_key && step.text.ends_with('#')) return "element:" + step.text;
  return {};
}

/// Joins findings of one part and webhook with the same text from `of`; an empty text joins nothing.
template <class Of>
void join_by(std::span<const Finding> findings, Groups& groups, const Of& of) {
  std::map<std::tuple<std::string, std::string, std::string>, std::string> first;
  for (const Finding& finding : findings) {
    const cases::Cause cause = cause_of(finding);
    const std::string text = of(finding, cause);
    if (text.empty()) continue;
    const std::string id = problem_id(finding);
    const auto [there, is_new] =
        first.emplace(std::tuple(cause.part, std::string(cases::own_name_of(finding.webhook)), text), id);
    if (!is_new) groups.join(there->second, id);
  }
}

/// Joins what is lost within an object with the finding that the webhook replaces the object as a whole.
void join_by_whole(std::span<const Finding> findings, Groups& groups) {
  for (const Finding& whole : findings) {
    if (!is_replaced_whole(whole)) continue;
    const cases::Cause around = cause_of(whole);
    for (const Finding& part : findings) {
      const cases::Cause within = cause_of(part);
      if (within.symptom == around.symptom && within.part == around.part && part.webhook == whole.webhook &&
          within.place.starts_with(around.place + "."))
        groups.join(problem_id(whole), problem_id(part));
    }
  }
}

/// The repair that folds the findings of each cause: that of most of them, and of equally many the one of
/// most findings at all. A second defect in a smallest Case lets a few findings of a cause be healed by the
/// repair of that defect, and these do not make one problem of the two.
class FoldingRepairs {
 public:
  explicit FoldingRepairs(std::span<const Finding> findings) {
    std::map<std::string, std::map<std::string, std::size_t>> by_cause;
    std::map<std::string, std::size_t> all;
    for (const Finding& finding : findings) {
      const auto repair = folding_repair(finding);
      if (!repair) continue;
      const std::string text = repair->kind + " " + repair->operation;
      ++by_cause[problem_id(finding)][text];
      ++all[text];
    }
    for (const auto& [id, repairs] : by_cause) {
      const auto weight = [&all](const auto& one) { return std::pair(one.second, all.at(one.first)); };
      const auto most = std::max_element(repairs.begin(), repairs.end(),
                                         [&](const auto& a, const auto& b) { return weight(a) < weight(b); });
      chosen_[id] = most->first;
    }
  }
  /// Returns the repair's kind and operation; empty if no finding of the cause has one.
  std::string of(const std::string& id) const {
    const auto found = chosen_.find(id);
    return found == chosen_.end() ? std::string() : found->second;
  }

 private:
  std::map<std::string, std::string> chosen_ = {};
};

/// Returns true if the run ended before the finding's cause was looked for.
bool is_unclassified(const Finding& finding) { return finding.found.unfinished && !finding.cause; }

/// Returns what a finding says without the element that it says it of: the kind of list of containers,
/// indices and other numbers.
std::string statement_of(const Finding& finding) {
  std::string text = finding.evidence.because;
  for (auto at = text.find(finding.evidence.path); !finding.evidence.path.empty() && at != std::string::npos;
       at = text.find(finding.evidence.path))
    text.erase(at, finding.evidence.path.size());
  std::string path;
  for (const PlaceStep& step : steps_of(finding.evidence.path))
    if (!step.is_key) path += "." + (step.text.ends_with("ontainers") ? "containers" : step.text);
  return finding.property + " " + finding.webhook + " " + finding.verdict + " " + path + " " +
         without_digits(text);
}

/// Adds each finding that was not classified in time to the group of the classified ones that say the same,
/// if these are of one group. Returns the group of each finding.
std::vector<std::string> groups_of(std::span<const Finding> findings, const Groups& groups) {
  std::map<std::string, std::set<std::string>> by_statement;
  for (const Finding& finding : findings)
    if (!is_unclassified(finding))
      by_statement[statement_of(finding)].insert(groups.first_of(problem_id(finding)));
  std::vector<std::string> result;
  for (const Finding& finding : findings) {
    const auto same =
        is_unclassified(finding) ? by_statement.find(statement_of(finding)) : by_statement.end();
    const bool has_home = same != by_statement.end() && same->second.size() == 1;
    result.push_back(has_home ? *same->second.begin() : groups.first_of(problem_id(finding)));
  }
  return result;
}

/// The sentence that lists print once for all problems of a webhook with the word in their causes.
struct Line {
  const char* word;
  std::string_view text;
};
constexpr std::array kLines = std::to_array<Line>({
    {kUnguarded, "adds {} elements, and looks for none of them before"},
    {kByDesign, "refuses with 500 what it names as wrong: {} messages"},
});
std::string line_of(const cases::Cause& cause) {
  const auto row = std::ranges::find_if(kLines, [&](const Line& line) { return has_word(cause, line.word); });
  if (row == kLines.end()) return {};
  const std::string needed = only_if(cause);
  return std::string(row->text) + (needed.empty() ? "" : ", " + needed);
}

/// Returns the rank of a problem among those of its severity. What no member of a chain shows alone comes
/// first, then what any Pod shows, what hardly any Pod has, and refusals by design.
int rank_of(const Finding& finding, const cases::Cause& cause) {
  if (has_word(cause, kByDesign)) return 3;
  if (has_word(cause, kOnlyIf)) return 2;
  const auto& neighbours = finding.value.neighbours;
  if (finding.sequence || !neighbours) return 1;
  const auto members = std::ranges::count_if(finding.value.webhooks, [&](const auto& one) {
    return !cases::is_neighbour(finding.value, cases::configuration_of(one.first));
  });
  return members > 1 ? 0 : 1;
}

bool is_before(const Problem& a, const Problem& b) {
  const auto key = [](const Problem& one) {
    // A problem that was not classified in time may be the same as another.
    const bool is_known = one.unclassified < one.findings.size();
    return std::tuple(one.severity != "error", one.rank, !is_known,
                      -static_cast<std::ptrdiff_t>(one.findings.size()), one.part, one.place, one.id);
  };
  return key(a) < key(b);
}

/// Chooses the repair of most of the findings, the first of equally many. What replaces an object as a whole
/// is repaired there.
void choose_repair(Problem& problem, std::vector<const Finding*> findings) {
  if (std::ranges::any_of(findings, [](const Finding* one) { return is_replaced_whole(*one); }))
    std::erase_if(findings, [](const Finding* one) { return !is_replaced_whole(*one); });
  std::map<std::pair<std::string, std::string>, std::size_t> count;
  for (const Finding* finding : findings)
    if (finding->repair) ++count[{finding->repair->kind, finding->repair->operation}];
  for (const auto& [repair, healed] : count) {
    if (healed <= problem.healed) continue;
    problem.healed = healed;
    problem.repair = cases::Repair{repair.first, repair.second};
  }
}

/// Returns one of the worst findings, which come first, with the cause that most of them have; one that says
/// of an object that it is replaced as a whole before those of its members.
const Finding* representative_of(const std::vector<const Finding*>& findings) {
  std::map<std::string, std::size_t> count;
  const Finding* most = findings.front();
  for (const Finding* finding : findings)
    if (finding->severity == most->severity && is_replaced_whole(*finding)) return finding;
  for (const Finding* finding : findings)
    if (finding->severity == findings.front()->severity) ++count[problem_id(*finding)];
  for (const Finding* finding : findings)
    if (finding->severity == most->severity && count[problem_id(*finding)] > count[problem_id(*most)])
      most = finding;
  return most;
}

/// Returns the finding without the secret values of its Case in the texts that a title is made of.
Finding with_hidden_texts(Finding finding) {
  cases::Redaction redaction;
  redaction.learn(finding);
  finding.evidence.because = redaction.sentence(finding.evidence.because);
  if (finding.evidence.value.is_string())
    finding.evidence.value = redaction.text(std::string(finding.evidence.value.text()));
  if (finding.cause) finding.cause->place = redaction.text(finding.cause->place);
  return finding;
}

Problem problem_of(const std::string& id, std::vector<const Finding*> findings) {
  std::sort(findings.begin(), findings.end(), [](const Finding* a, const Finding* b) {
    return std::tuple(a->severity != "error", a->fingerprint) <
           std::tuple(b->severity != "error", b->fingerprint);
  });
  // The id is made from the values as they are; texts show none that may be secret.
  const Finding worst = with_hidden_texts(*representative_of(findings));
  const cases::Cause cause = cause_of(worst);
  Problem problem{.id = id,
                  .title = title_of(worst, cause),
                  .severity = worst.severity,
                  .part = cause.part,
                  .webhook = std::string(cases::own_name_of(worst.webhook)),
                  .place = cause.place,
                  .symptom = cause.symptom,
                  .line = line_of(cause),
                  .rank = rank_of(worst, cause)};
  std::set<std::string> ids, subjects;
  for (const Finding* finding : findings) {
    ids.insert(problem_id(*finding));
    subjects.insert(subject_of(*finding));
    problem.findings.push_back(finding->fingerprint);
    problem.unclassified += is_unclassified(*finding) ? 1 : 0;
  }
  problem.ids.assign(ids.begin(), ids.end());
  problem.subjects.assign(subjects.begin(), subjects.end());
  choose_repair(problem, findings);
  title_by_library(problem, findings);
  return problem;
}

}  // namespace

std::string problem_id(const Finding& finding) {
  const cases::Cause cause = cause_of(finding);
  return fingerprint_of({"problem", cause.part, std::string(cases::own_name_of(finding.webhook)), cause.place,
                         cause.symptom, change_of(finding, cause)});
}

std::vector<Problem> problems_of(std::span<const Finding> findings) {
  Groups groups;
  join_by_case(findings, groups);
  join_by(findings, groups, thing_of);
  join_by_whole(findings, groups);
  const FoldingRepairs repairs(findings);
  join_by(findings, groups,
          [&](const Finding& finding, const cases::Cause&) { return repairs.of(problem_id(finding)); });
  std::map<std::string, std::vector<const Finding*>> members;
  const std::vector<std::string> group = groups_of(findings, groups);
  for (std::size_t i = 0; i < findings.size(); ++i) members[group[i]].push_back(&findings[i]);
  std::vector<Problem> problems;
  for (auto& [id, of_it] : members) problems.push_back(problem_of(id, std::move(of_it)));
  std::sort(problems.begin(), problems.end(), is_before);
  return problems;
}

}  // namespace fixpoint::runner
