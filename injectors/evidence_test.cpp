#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "generators/draw.h"
#include "harness/document/patch.h"
#include "harness/patterns_model.h"
#include "harness/properties/path_values.h"
#include "harness/properties/webhook_caller.h"
#include "harness/runner/examine.h"
#include "harness/runner/trace.h"
#include "injectors/bundled.h"
#include "injectors/injector_catalog.h"

/// Compares each violation with its evidence: the calls of its Case, and the property's own calls.
namespace fixpoint::injectors {
namespace {

using document::Value;
using properties::Violation;

constexpr std::uint64_t kCasesOfEach = 100;

/// Returns every Pod that a reader of the violation can see.
std::vector<Value> shown_pods(const runner::Prepared& prepared, const Violation& violation) {
  const apiserver::Admission& admission = prepared.admission;
  std::vector<Value> pods{admission.received, admission.first, admission.object};
  // The Pod after a patch also shows what the server adds or drops when it decodes: an empty text, an unknown
  // field.
  const auto add = [&](const Value& before, const apiserver::CallResult& result) {
    pods.insert(pods.end(), {before, result.after});
    if (result.answer.patch) pods.push_back(document::apply_patch(before, *result.answer.patch, {}).document);
  };
  for (const auto& event : admission.calls) add(event.before, event.result);
  for (const auto& call : violation.calls) add(call.before, call.result);
  return pods;
}

/// Returns true if `key` between brackets chooses the element: each one, or the one that has it as a value.
bool is_chosen(const Value& element, std::string_view key) {
  if (key == "*") return true;
  return element.is_object() && std::any_of(element.members().begin(), element.members().end(),
                                            [&](const auto& member) { return member.value.text() == key; });
}

/// Collects the values at a path. Between brackets stand an index, a key of an element or of a map, or [*].
void collect(const Value& pod, const std::string& path, std::vector<Value>& found) {
  for (auto open = path.find('['); open != std::string::npos; open = path.find('[', open + 1)) {
    const auto close = path.find(']', open);
    const std::string key = path.substr(open + 1, close - open - 1);
    const Value list = properties::at_path(pod, path.substr(0, open));
    if (!list.is_array() || key.find_first_not_of("0123456789") == std::string::npos) continue;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!is_chosen(list.at(i), key)) continue;
      collect(pod, path.substr(0, open + 1) + std::to_string(i) + path.substr(close), found);
    }
    return;
  }
  if (const Value value = properties::at_path(pod, path); !value.is_null()) found.push_back(value);
}

bool is_in_pods(const std::vector<Value>& pods, const std::string& path) {
  return std::any_of(pods.begin(), pods.end(), [&](const Value& pod) {
    std::vector<Value> found;
    collect(pod, path, found);
    return !found.empty();
  });
}

/// Returns true if the path can occur in a Pod. The API server's name for two keys, `{topologyKey,
/// whenUnsatisfiable}`, cannot.
bool is_in_a_pod(const std::string& path) {
  return (path.starts_with("spec.") || path.starts_with("metadata.")) && path.find('{') == std::string::npos;
}

/// Returns false for properties whose value is a text about the Pod instead of a part of it: the kind of an
/// error, or a message.
bool has_value_of_pod(const runner::PropertyJudgement& asked, const Violation& violation) {
  const std::set<std::string_view> about{"valid-spec",      "reinvocation-valid", "update-safe",
                                         "request-context", "order-independent",  "text-survives"};
  return is_in_a_pod(violation.path) && !violation.value.is_null() &&
         violation.path.find("[*]") == std::string::npos && !about.contains(asked.property->name);
}

/// Cuts the last member or element off a path; a key in brackets may contain dots.
std::string parent_of(const std::string& path) {
  return path.substr(0, path.rfind(path.ends_with(']') ? '[' : '.'));
}

/// Returns true if a Pod has the violation's path. A violation without a value is about a field that the
/// object at its path lacks, or about one that a native sidecar lacks and a container has.
bool is_shown(const std::vector<Value>& pods, const Violation& violation) {
  if (!violation.value.is_null()) return is_in_pods(pods, violation.path);
  if (is_in_pods(pods, parent_of(violation.path))) return true;
  constexpr std::string_view kSidecar = "spec.initContainers[*].";
  return violation.path.starts_with(kSidecar) &&
         is_in_pods(pods, "spec.containers[*]." + violation.path.substr(kSidecar.size()));
}

/// Returns the false statements of a violation, one line each; empty if all are true.
std::string false_statements(const runner::Prepared& prepared, const runner::PropertyJudgement& asked,
                             const Violation& violation) {
  const auto pods = shown_pods(prepared, violation);
  std::string wrong;
  if (violation.reason.empty()) wrong += "it says nothing\n";
  // This property quotes an expression, whose names are no paths of a Pod.
  const bool quotes_expression = asked.property->name == "expressions-evaluate";
  for (const auto& match :
       all_found(violation.reason, "(spec|metadata)(\\.[a-zA-Z][a-zA-Z0-9-]*(\\[[^\\]]*\\])*)+")) {
    if (!quotes_expression && !is_in_pods(pods, match[0]))
      wrong += "no Pod has " + match[0] + ", which the sentence names\n";
  }
  if (is_in_a_pod(violation.path) && !is_shown(pods, violation))
    wrong += "no Pod has its path " + violation.path + "\n";
  if (has_value_of_pod(asked, violation)) {
    const bool is_there = std::any_of(pods.begin(), pods.end(), [&](const Value& pod) {
      return properties::at_path(pod, violation.path) == violation.value;
    });
    if (!is_there) wrong += "no Pod has its value at " + violation.path + "\n";
  }
  for (const auto& match : all_found(violation.reason, "([0-9]+) [a-z]+ after the first, ([0-9]+) ")) {
    if (std::stoi(match[1]) >= std::stoi(match[2])) wrong += "it does not grow\n";
  }
  const auto trace = runner::trace_of(prepared.admission, violation.calls);
  const bool shows_something =
      std::any_of(trace.begin(), trace.end(), [](const auto& call) { return !call.effect.empty(); });
  // A finding in a configuration needs no call.
  const bool is_of_calls = asked.property->name != "configuration-sound";
  if (is_of_calls && !shows_something) wrong += "no call of the story does anything\n";
  if (!wrong.empty()) wrong.insert(0, violation.reason + "\n");
  return wrong;
}

class Evidence : public testing::TestWithParam<std::string> {};

TEST_P(Evidence, SaysWhatItsCallsShow) {
  generators::DrawOptions chains;
  chains.subjects = {find_subject(GetParam()).value()};
  chains.peers = newest(Role::peer);
  const generators::DrawContext draw_context(std::move(chains));
  const auto& catalog = bundled().catalog;
  for (std::uint64_t index = 0; index < kCasesOfEach; ++index) {
    runner::Choices choices(7, index);
    const auto prepared = runner::prepare(generators::draw(choices, draw_context), resolve, {});
    if (!prepared) continue;
    for (const runner::PropertyJudgement& asked : runner::ask(*prepared, catalog.of_cases(), {}, {})) {
      const auto* violated = std::get_if<properties::Violated>(&asked.judgement);
      if (violated == nullptr) continue;
      for (const Violation& violation : violated->violations)
        EXPECT_EQ(false_statements(*prepared, asked, violation), "")
            << asked.property->name << ", Case " << index;
    }
  }
}

std::vector<std::string> all_subjects() {
  std::vector<std::string> names;
  for (const Injector& injector : all()) {
    if (injector.role == Role::peer) continue;
    for (const std::string_view release : injector.releases) {
      const bool is_reported =
          release != "fixed" && (release == "buggy" || release == injector.releases.back());
      if (is_reported) names.push_back(std::string(injector.name).append("@").append(release));
    }
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(EverySubject, Evidence, testing::ValuesIn(all_subjects()), [](const auto& row) {
  std::string name = row.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

TEST(EvidenceChecks, NoticeWhatIsWrong) {
  generators::DrawOptions chains;
  chains.subjects = {find_subject("defects/env-without-guard@buggy").value()};
  runner::Choices choices(1, 0);
  const auto prepared =
      runner::prepare(generators::draw(choices, generators::DrawContext(std::move(chains))), resolve, {});
  ASSERT_TRUE(prepared);
  const runner::PropertyJudgement asked{properties::find("bounded-growth"), properties::Held{}};
  const auto wrong = [&](Violation violation) { return false_statements(*prepared, asked, violation) != ""; };
  EXPECT_TRUE(wrong({.path = "spec.volumes[9].name", .reason = "it grows"}));
  EXPECT_TRUE(wrong({.path = "webhook", .reason = "still changes spec.volumes[9]"}));
  EXPECT_TRUE(wrong({.path = "spec.containers[0].name", .value = "nobody's", .reason = "it is there"}));
  EXPECT_TRUE(wrong({.path = "webhook", .reason = "grows: 0 elements after the first, 0 after the second"}));
  EXPECT_TRUE(wrong({.path = "webhook"}));
}

}  // namespace
}  // namespace fixpoint::injectors
