#include "harness/conformance/policy_test_run.h"

#include <algorithm>

#include "harness/apiserver/admission/admission.h"
#include "harness/apiserver/decoding/internal_type.h"
#include "harness/apiserver/registrations/validate_policy.h"
#include "harness/apiserver/registry/registry.h"
#include "harness/apiserver/types/equality.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/diff.h"
#include "harness/document/json.h"
#include "harness/document/pointer.h"

namespace fixpoint::conformance {

namespace {

using document::Change;
using document::Error;
using document::Result;
using document::Value;
using external::PolicyTest;

constexpr std::size_t kChangesMax = 20;

std::string shown(const std::optional<Value>& value) {
  return value ? write_json(sorted(*value)) : "nothing";
}

const Value* at(const Value& document, const std::string& pointer) {
  const auto path = document::parse_pointer(pointer);
  return path ? document::resolve(document, *path) : nullptr;
}

/// Returns true for a member that the client did not send, and that the policy found set by default.
bool is_default(const PolicyTest& test, const Value& received, const Change& change) {
  const Value* before = at(received, change.pointer);
  return before != nullptr && change.after && *before == *change.after &&
         at(test.value.request.object, change.pointer) == nullptr;
}

std::vector<std::string> differences_of(const PolicyTest& test, const Value& received, const Value& expected,
                                        const Value& found) {
  std::vector<std::string> differences;
  if (apiserver::semantically_equal(expected, found)) return differences;
  for (const Change& change : document::list_changes(expected, found, kChangesMax)) {
    differences.push_back(change.pointer + ": expected " + shown(change.before) + ", found " +
                          shown(change.after));
    if (is_default(test, received, change))
      differences.back() += ", which the server sets before the policy sees the Pod";
  }
  return differences;
}

/// The server puts the names of policy and binding before what a test says.
bool says(std::string_view message, std::string_view expected) {
  return message == expected || message.ends_with("denied request: " + std::string(expected));
}

std::vector<std::string> compare_refusal(const PolicyTest& test, const apiserver::Admission& admission) {
  const std::string message = admission.status ? admission.status->message : "";
  if (admission.allowed) return {"expected a refusal, found none"};
  if (!test.expects_denial) return {"expected the Pod to be admitted, found a refusal: " + message};
  if (!test.message || says(message, *test.message)) return {};
  return {"message: expected " + write_json(Value(*test.message)) + ", found " + write_json(Value(message))};
}

}  // namespace

Compared check_policy_test(const PolicyTest& test, const Limits& limits) {
  cases::Case value = test.value;
  value.request.managed_fields = false;
  value.cluster.admission_plugins.clear();
  value.cluster.objects.insert(value.cluster.objects.end(), test.policies.begin(), test.policies.end());
  const auto admission = apiserver::admit(value, {}, limits, {.store = false});
  if (!admission) return unsupported(admission.error().text());
  std::vector<std::string> differences;
  if (!admission->allowed || test.expects_denial) {
    differences = compare_refusal(test, *admission);
  } else if (test.gold.is_null()) {
    differences = differences_of(test, admission->received,
                                 apiserver::through_internal_type(admission->received), admission->object);
    if (!differences.empty())
      differences.insert(differences.begin(), "the policy changed the Pod, and there is no " + test.name +
                                                  ".gold.yaml that expects it");
  } else {
    cases::Request request = value.request;
    request.object = test.gold;
    const auto expected = apiserver::receive(request, value.cluster, apiserver::minor_of(value.cluster));
    if (!expected) return unsupported(expected.error().text());
    differences =
        differences_of(test, admission->received, apiserver::through_internal_type(expected->object),
                       apiserver::through_internal_type(admission->object));
  }
  if (differences.empty()) return {};
  return {Compared::Answer::disagreed, std::move(differences)};
}

Result<std::vector<FolderCounts>> check_policy_folders(
    const std::string& path, const std::function<void(const PolicyTest& test, const Compared&)>& each) {
  const Limits limits;
  auto folders = external::find_policy_folders(path);
  if (!folders) return std::move(folders).error();
  std::vector<FolderCounts> all;
  for (const external::PolicyFolder& folder : *folders) {
    const auto tests = external::read_policy_tests(folder, limits);
    if (!tests) return tests.error();
    for (const external::PlacedDocument& one : tests->documents) {
      if (!cases::is_of_policies(one.document)) continue;
      if (auto refused = apiserver::refusal_of_policy(one.document))
        return std::move(*refused).within(one.place);
    }
    FolderCounts counted{.path = folder.path};
    for (const PolicyTest& test : tests->tests) {
      if (!test.not_run.empty()) {
        counted.not_run.push_back(test.name + ": " + test.not_run);
        continue;
      }
      const Compared compared = check_policy_test(test, limits);
      counted.counts.add(compared.answer);
      each(test, compared);
    }
    for (const std::string& file : folder.unread)
      counted.not_run.push_back(file + ": it is no part of a test");
    all.push_back(std::move(counted));
  }
  return all;
}

}  // namespace fixpoint::conformance
