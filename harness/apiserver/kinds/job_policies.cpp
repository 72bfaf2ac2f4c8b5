#include "harness/apiserver/kinds/job_policies.h"

#include <algorithm>
#include <set>
#include <string>

#include "harness/apiserver/kinds/job_indexes.h"
#include "harness/apiserver/text/cron_schedules.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver::kinds {

namespace {

constexpr std::size_t kRulesMax = 20, kExitCodesMax = 255, kPatternsMax = 20, kIndexesBytesMax = 64 * 1024;

constexpr std::string_view kActions[] = {"Count", "FailIndex", "FailJob", "Ignore"};
constexpr std::string_view kStatuses[] = {"False", "True", "Unknown"};
constexpr std::string_view kOperators[] = {"In", "NotIn"};

/// Reports a text that is none of the choices; an absent one with all of them.
void check_one_of(const Value& value, validation::Choices choices, const Path& path, Errors& errors) {
  if (!value.text().empty()) {
    if (!validation::is_one_of(value.text(), choices)) errors.not_supported(path, value.text(), choices);
    return;
  }
  std::string list;
  for (const std::string_view choice : choices)
    list.append(list.empty() ? "" : " ").append(document::go_quoted(choice));
  errors.required(path, Text("valid values: [{}]").with({list}));
}

void check_values(const Value& codes, const Path& path, Errors& errors) {
  const Value& values = codes["values"];
  const Path values_path = path.child("values");
  if (values.empty()) errors.invalid(values_path, values, Text("at least one value is required"));
  if (values.size() > kExitCodesMax) errors.too_many(values_path, values.size(), kExitCodesMax);
  std::set<std::int64_t> known;
  bool is_ordered = true;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::int64_t code = values.at(i).integer().value_or(0);
    const Path item = values_path.at(i);
    if (code == 0 && codes["operator"].text() == "In")
      errors.invalid(item, values.at(i), Text("must not be 0 for the In operator"));
    if (!known.insert(code).second) errors.duplicate_value(item, values.at(i));
    is_ordered = is_ordered && (i == 0 || values.at(i - 1).integer().value_or(0) <= code);
  }
  if (!is_ordered) errors.invalid(values_path, values, Text("must be ordered"));
}

void check_exit_codes(const Value& codes, const Value& pod, const Path& path, Errors& errors) {
  check_one_of(codes["operator"], kOperators, path.child("operator"), errors);
  const Value& name = codes["containerName"];
  bool is_known = name.is_null();
  for (const char* list : {"containers", "initContainers"}) {
    for (const Value& container : pod[list].elements())
      is_known = is_known || container["name"].text() == name.text();
  }
  if (!is_known)
    errors.invalid(path.child("containerName"), name.text(),
                   Text("must be one of the container or initContainer names in the pod template"));
  check_values(codes, path, errors);
}

void check_conditions(const Value& patterns, const Path& path, Errors& errors) {
  if (patterns.size() > kPatternsMax) errors.too_many(path, patterns.size(), kPatternsMax);
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const Path item = path.at(i);
    const std::string_view type = patterns.at(i)["type"].text();
    errors.invalid(item.child("type"), type, validation::check_qualified_name(type));
    check_one_of(patterns.at(i)["status"], kStatuses, item.child("status"), errors);
  }
}

void check_failure_rule(const Value& rule, const Value& spec, const Path& path, Errors& errors) {
  const Path action_path = path.child("action");
  if (rule["action"].text() == "FailIndex") {
    if (spec["backoffLimitPerIndex"].is_null())
      errors.invalid_typed(action_path, "FailIndex", Text("requires the backoffLimitPerIndex to be set"));
  } else {
    check_one_of(rule["action"], kActions, action_path, errors);
  }
  const Value &codes = rule["onExitCodes"], &conditions = rule["onPodConditions"];
  if (!codes.is_null()) check_exit_codes(codes, spec["template"]["spec"], path.child("onExitCodes"), errors);
  check_conditions(conditions, path.child("onPodConditions"), errors);
  if (!codes.is_null() && !conditions.empty())
    errors.invalid_hidden(path, Text("specifying both OnExitCodes and OnPodConditions is not supported"));
  if (codes.is_null() && conditions.empty())
    errors.invalid_hidden(path, Text("specifying one of OnExitCodes and OnPodConditions is required"));
}

void check_success_rule(const Value& rule, std::int64_t completions, const Path& path, Errors& errors) {
  const Value &indexes = rule["succeededIndexes"], &count = rule["succeededCount"];
  const Path indexes_path = path.child("succeededIndexes"), count_path = path.child("succeededCount");
  if (indexes.is_null() && count.is_null())
    errors.required(path, Text("at least one of succeededCount or succeededIndexes must be specified"));
  std::int64_t listed = 0;
  if (!indexes.is_null()) {
    if (indexes.text().size() > kIndexesBytesMax) errors.too_long(indexes_path, kIndexesBytesMax);
    const auto intervals = read_indexes(indexes.text(), completions);
    const std::string problem = indexes_problem(intervals);
    if (!problem.empty())
      errors.invalid(indexes_path, indexes.text(),
                     Text("error parsing succeededIndexes: {}").with({problem}));
    else
      for (const IndexInterval& one : intervals) listed += one.last - one.first + 1;
  }
  if (count.is_null()) return;
  check_not_negative(rule, {"succeededCount"}, path, errors);
  const std::int64_t number = count.integer().value_or(0);
  if (number > completions)
    errors.invalid(count_path, count,
                   Text("must be less than or equal to {} (the number of specified completions)")
                       .with({std::to_string(completions)}));
  if (!indexes.is_null() && number > listed)
    errors.invalid(count_path, count,
                   Text("must be less than or equal to {} (the number of indexes in the specified "
                        "succeededIndexes field)")
                       .with({std::to_string(listed)}));
}

constexpr document::GoMember kExitCodeMembers[] = {
    {"ContainerName", "containerName"}, {"Operator", "operator", "\"\""}, {"Values", "values"}};
constexpr document::GoMember kPatternMembers[] = {{"Type", "type", "\"\""}, {"Status", "status", "\"\""}};
constexpr document::GoMember kFailureRuleMembers[] = {
    {"Action", "action", "\"\""},
    {"OnExitCodes", "onExitCodes", "null", kExitCodeMembers},
    {"OnPodConditions", "onPodConditions", "null", kPatternMembers}};
constexpr document::GoMember kFailureMembers[] = {{"Rules", "rules", "null", kFailureRuleMembers}};
constexpr document::GoMember kSuccessRuleMembers[] = {{"SucceededIndexes", "succeededIndexes"},
                                                      {"SucceededCount", "succeededCount"}};
constexpr document::GoMember kSuccessMembers[] = {{"Rules", "rules", "null", kSuccessRuleMembers}};

}  // namespace

const std::span<const document::GoMember> kFailurePolicyMembers = kFailureMembers;
const std::span<const document::GoMember> kSuccessPolicyMembers = kSuccessMembers;

void check_failure_policy(const Value& spec, const Path& path, Errors& errors) {
  const Value& rules = spec["podFailurePolicy"]["rules"];
  const Path rules_path = path.child("rules");
  if (rules.size() > kRulesMax) errors.too_many(rules_path, rules.size(), kRulesMax);
  for (std::size_t i = 0; i < rules.size(); ++i)
    check_failure_rule(rules.at(i), spec, rules_path.at(i), errors);
}

void check_success_policy(const Value& spec, const Path& path, Errors& errors) {
  const Value& rules = spec["successPolicy"]["rules"];
  const Path rules_path = path.child("rules");
  if (rules.empty())
    errors.required(rules_path,
                    Text("at least one rules must be specified when the successPolicy is specified"));
  if (rules.size() > kRulesMax) errors.too_many(rules_path, rules.size(), kRulesMax);
  const std::int64_t completions = spec["completions"].integer().value_or(0);
  for (std::size_t i = 0; i < rules.size(); ++i)
    check_success_rule(rules.at(i), completions, rules_path.at(i), errors);
}

bool success_policy_panics(const Value& spec) {
  if (spec["completionMode"].text() != "Indexed" || !spec["completions"].is_null()) return false;
  return std::ranges::any_of(spec["successPolicy"]["rules"].elements(), [](const Value& rule) {
    return !rule["succeededIndexes"].is_null() || !rule["succeededCount"].is_null();
  });
}

}  // namespace fixpoint::apiserver::kinds
