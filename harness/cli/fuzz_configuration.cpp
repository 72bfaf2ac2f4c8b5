#include "harness/cli/fuzz_configuration.h"

#include <algorithm>

#include "harness/campaign/policy.h"

namespace fixpoint::cli {

namespace {

bool gives(const Arguments& given, const std::string& option) {
  return std::any_of(given.begin(), given.end(), [&](const std::string& word) {
    return word == option || word.starts_with(option + "=");
  });
}

}  // namespace

std::variant<Configured, std::vector<document::Error>> read_configuration(const std::string& file,
                                                                          const std::string& profile,
                                                                          const Arguments& given,
                                                                          bool has_subjects) {
  const auto read = campaign::read_policy(file, profile);
  const auto* policy = std::get_if<campaign::Policy>(&read);
  if (policy == nullptr) return std::get<std::vector<document::Error>>(read);
  Configured configured;
  const auto add = [&](const std::string& option, const std::vector<std::string>& values) {
    if (gives(given, option)) return;
    for (const std::string& value : values)
      configured.arguments.insert(configured.arguments.end(), {option, value});
  };
  add("--webhook", policy->webhooks);
  add("--example", policy->examples);
  add("--code", policy->code);
  add("--owns", policy->owns);
  const bool has_budget = gives(given, "--cases") || gives(given, "--time");
  if (policy->has_budget && !has_budget && policy->cases) add("--cases", {std::to_string(*policy->cases)});
  if (policy->has_budget && !has_budget && !policy->time.empty()) add("--time", {policy->time});
  if (policy->has_fail_on) add("--fail-on", {policy->fail_on});
  configured.names_webhooks = !policy->webhooks.empty() && !gives(given, "--webhook");
  configured.names_subjects = !has_subjects;
  if (!has_subjects)
    configured.arguments.insert(configured.arguments.end(), policy->subjects.begin(), policy->subjects.end());
  return configured;
}

}  // namespace fixpoint::cli
