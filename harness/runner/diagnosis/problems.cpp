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
#include "harness/runner/diagnosis/same_cause.h"
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
  return finding.blamed().name;
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

/// Returns the place of the webhook's own container that the place is in; empty if it is in none.
std::string own_container(const std::string& place) {
  const auto open = place.find('['), close = place.find("].");
  if (open == std::string::npos || close == std::string::npos || place[open + 1] == '*') return {};
  const std::string list = place.substr(0, open);
  return list == "spec.containers" || list == "spec.initContainers" ? place.substr(0, close + 1)
                                                                    : std::string();
}

/// Returns true if two places belong together: one contains the other, both are an element of the webhook's
/// own with the same key, such as a volume and its mounts, or both are in one container of its own.
bool are_related(const std::string& a, const std::string& b) {
  const Parts one = parts_of(a), other = parts_of(b);
  const bool is_same_element = !element_at(a).empty() && element_at(a) == element_at(b);
  const auto shorter = std::min(one.members.size(), other.members.size());
  const bool holds = std::equal(
      one.members.begin(), one.members.begin() + static_cast<std::ptrdiff_t>(shorter), other.members.begin());
  const bool is_in_containers = shorter == 2 && one.members[1] == "containers";  // any container is no place
  const bool agrees =
      one.keys.empty() || other.keys.empty() ? shorter >= 2 && !is_in_containers : one.keys == other.keys;
  const std::string container = own_container(a);
  const bool is_in_one_container = !container.empty() && container == own_container(b);
  return is_same_element || is_in_one_container || (holds && agrees);
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

/// Returns true if a webhook that goes by the places of containers can be the cause of such a finding.
bool is_of_places(std::string_view symptom) {
  static constexpr auto kSymptoms = std::to_array<std::string_view>({"order", "late", "lost", "unstable"});
  return std::ranges::find(kSymptoms, symptom) != kSymptoms.end();
}

/// Returns true for what a webhook does in other places or at another time than it should.
bool is_of_order(const cases::Cause& cause) { return cause.symptom == "order" || cause.symptom == "late"; }

/// Returns true if two findings of one smallest Case can have one cause: what depends on the order of
/// containers explains that something is late or gone, and no more.
bool can_be_one(const cases::Cause& a, const cases::Cause& b) {
  const auto explains = [](const cases::Cause& other) { return is_of_places(other.symptom); };
  return (!is_of_order(a) || explains(b)) && (!is_of_order(b) || explains(a));
}

/// Joins the findings about related places that one smallest Case shows.
void join_by_case(std::span<const Finding> findings, Groups& groups) {
  std::map<std::string, std::vector<const Finding*>> by_case;
  for (const Finding& finding : findings)
    by_case[finding.sequence ? cases::canonical_text(*finding.sequence)
                             : cases::canonical_text(finding.value)]
        .push_back(&finding);
  for (const auto& [text, of_it] : by_case) {
    for (std::size_t i = 0; i < of_it.size(); ++i) {
      const cases::Cause a = cause_of(*of_it[i]);
      for (std::size_t j = 0; j < i; ++j) {
        const cases::Cause b = cause_of(*of_it[j]);
        const bool are_one =
            of_it[i]->sequence ? a.place == b.place && a.change == b.change
                               : are_related(a.place, b.place) || (is_about_answer(a) && is_about_answer(b));
        if (can_be_one(a, b) && a.part == b.part && of_it[i]->webhook == of_it[j]->webhook && are_one)
          groups.join(problem_id(*of_it[i]), problem_id(*of_it[j]));
      }
    }
  }
}

/// Joins findings of one webhook with the same text from `of`, and of one part unless the text is of all
/// parts of a composed webhook; an empty text joins nothing.
enum class Across { one_part, all_parts };
template <class Of>
void join_by(std::span<const Finding> findings, Groups& groups, const Of& of,
             Across across = Across::one_part) {
  std::map<std::tuple<std::string, std::string, std::string>, std::string> first;
  for (const Finding& finding : findings) {
    const cases::Cause cause = cause_of(finding);
    const std::string text = of(finding, cause);
    if (text.empty()) continue;
    const std::string id = problem_id(finding);
    const auto [there, is_new] = first.emplace(
        std::tuple(across == Across::one_part ? cause.part : std::string(), finding.blamed().name, text), id);
    if (!is_new) groups.join(there->second, id);
  }
}

/// Returns the subjects that are composed: of them other parts are to blame, and more than of a part, of
/// which the whole may be.
std::set<std::string> composed_subjects(std::span<const Finding> findings) {
  std::map<std::string, std::set<std::string>> parts;
  for (const Finding& finding : findings)
    if (const std::string part = cause_of(finding).part; part != subject_of(finding))
      parts[subject_of(finding)].insert(part);
  std::set<std::string> composed;
  for (const auto& [subject, of_it] : parts) {
    const bool is_part = std::ranges::any_of(parts, [&](const auto& other) {
      return other.first != subject && other.second.contains(subject) && other.second.size() > of_it.size();
    });
    if (!is_part) composed.insert(subject);
  }
  return composed;
}

/// Joins what one part of a composed webhook does alone with the same done by the webhook as a whole, where
/// another part hides whose doing it is; and what its library drops and what it refuses with 500 instead of
/// 4xx, which all parts share.
void join_across_parts(std::span<const Finding> findings, Groups& groups) {
  const std::set<std::string> composed = composed_subjects(findings);
  std::map<std::string, std::set<std::string>> parts;  // by statement
  std::set<std::string> of_wholes;
  for (const Finding& finding : findings) {
    const std::string part = cause_of(finding).part;
    if (composed.contains(part))
      of_wholes.insert(statement_of(finding));
    else
      parts[statement_of(finding)].insert(part);
  }
  const auto shared = [&](const Finding& finding, const cases::Cause& cause) -> std::string {
    if (finding.sequence) return {};
    const bool is_newer_field = is_newer_than_a_library(finding.evidence.path);
    if (cause.symptom == "newer-fields" || (cause.symptom == "lost" && is_newer_field)) return "library";
    if (has_word(cause, kByDesign)) return "by design";
    if (cause.place == cases::kNoPlace) return cause.symptom;
    const std::string statement = statement_of(finding);
    const auto by_one = parts.find(statement);
    const bool is_one = by_one != parts.end() && by_one->second.size() == 1 && of_wholes.contains(statement);
    return is_one ? statement : std::string();
  };
  join_by(findings, groups, shared, Across::all_parts);
}

/// Joins what a webhook does in an element of its own with the same in one that it adds under a name from the
/// cluster, which is the same element.
void join_by_added(std::span<const Finding> findings, Groups& groups) {
  std::set<std::pair<std::string, std::string>> under_other_names;
  for (const Finding& finding : findings)
    if (const cases::Cause cause = cause_of(finding); cause.place.find("[added]") != std::string::npos)
      under_other_names.emplace(cause.part, cause.place);
  join_by(findings, groups, [&](const Finding&, const cases::Cause& cause) -> std::string {
    const std::string place = under_added_name(cause.place);
    return under_other_names.contains({cause.part, place}) ? cause.symptom + " " + place : std::string();
  });
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
      // A mistake by the places of containers shows in many ways; the repair heals others by chance.
      const bool goes_by_places = repair->kind == "look-up-by-name";
      const std::string symptom = cause_of(finding).symptom;
      if (goes_by_places && !is_of_places(symptom)) continue;
      const std::string text =
          repair->kind + " " + repair->operation + (goes_by_places ? " " + symptom : std::string());
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
/// of an object that it is replaced as a whole before those of its members. The form of a patch says less
/// than what the patch does.
const Finding* representative_of(std::vector<const Finding*> findings) {
  const std::string worst = findings.front()->severity;
  std::erase_if(findings, [&](const Finding* one) { return one->severity != worst; });
  const auto is_of_form = [](const Finding* one) { return one->property == "patch-well-formed"; };
  if (!std::ranges::all_of(findings, is_of_form)) std::erase_if(findings, is_of_form);
  const auto whole =
      std::ranges::find_if(findings, [](const Finding* one) { return is_replaced_whole(*one); });
  if (whole != findings.end()) return *whole;
  std::map<std::string, std::size_t> count;
  for (const Finding* finding : findings) ++count[problem_id(*finding)];
  return *std::ranges::max_element(findings, {}, [&](const Finding* one) { return count[problem_id(*one)]; });
}

/// Returns the finding without the secret values of its Case in the texts that a title is made of.
Finding with_hidden_texts(Finding finding) {
  cases::Redaction redaction;
  redaction.learn(finding);
  finding.evidence.reason = redaction.sentence(finding.evidence.reason);
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
                  .webhook = worst.blamed().name,
                  .place = cause.place,
                  .symptom = cause.symptom,
                  .change = kind_of_change(cause.change),
                  .line = line_of(cause),
                  .rank = rank_of(worst, cause, std::ranges::any_of(findings, [](const Finding* one) {
                                    return one->verdict == "growing" && one->severity == "error";
                                  }))};
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
  return fingerprint_of(
      {"problem", cause.part, finding.blamed().name, cause.place, cause.symptom, change_of(finding, cause)});
}

std::vector<Problem> problems_of(std::span<const Finding> findings) {
  Groups groups;
  join_by_case(findings, groups);
  join_by(findings, groups, thing_of);
  join_across_parts(findings, groups);
  join_by_added(findings, groups);
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
