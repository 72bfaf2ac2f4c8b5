#include "harness/apiserver/validation/checks.h"
#include "harness/apiserver/validation/gates.h"

namespace fixpoint::apiserver::validation {

namespace {

constexpr std::size_t kRulesMax = 20, kExitCodesMax = 255;

constexpr Text kNoPolicy("must specify restartPolicy when restart rules are used");

void check_rule(const Value& rule, const Path& path, Context& context) {
  constexpr std::string_view kRestart[] = {"Restart"}, kRestartAll[] = {"Restart", "RestartAllContainers"};
  const Choices actions =
      context.options.allows_restart_all_containers ? Choices(kRestartAll) : Choices(kRestart);
  if (!is_one_of(rule["action"].text(), actions)) {
    context.errors.not_supported(path.child("action"), rule["action"].text(), actions);
  }
  const Value& codes = rule["exitCodes"];
  const Path codes_path = path.child("exitCodes");
  if (codes.is_null()) return context.errors.required(codes_path, Text("must be specified"));
  if (!is_one_of(codes["operator"].text(), {"In", "NotIn"})) {
    context.errors.not_supported(codes_path.child("operator"), codes["operator"].text(), {"In", "NotIn"});
  }
  if (const std::size_t count = codes["values"].size(); count > kExitCodesMax) {
    context.errors.too_many(codes_path.child("values"), count, kExitCodesMax);
  }
}

}  // namespace

void check_restart_policy(const Value& container, const Path& path, Context& context) {
  constexpr std::string_view kPolicies[] = {"Always", "Never", "OnFailure"};
  const Value& policy = container["restartPolicy"];
  const Value& rules = container["restartPolicyRules"];
  if (policy.is_null()) {
    if (rules.empty()) return;
    context.errors.required(path.child("restartPolicy"), kNoPolicy);
  } else if (!is_one_of(policy.text(), kPolicies)) {
    context.errors.not_supported(path.child("restartPolicy"), policy.text(), kPolicies);
  }
  const Path rules_path = path.child("restartPolicyRules");
  if (rules.size() > kRulesMax) context.errors.too_many(rules_path, rules.size(), kRulesMax);
  for (std::size_t i = 0; i < rules.size(); ++i) check_rule(rules.at(i), rules_path.at(i), context);
}

void check_init_restart_policy(const Value& container, const Path& path, Context& context) {
  const Value& policy = container["restartPolicy"];
  const Value& rules = container["restartPolicyRules"];
  if (policy.is_null()) {
    const bool is_required = context.options.minor >= gate::kContainerRestartRules && !rules.empty();
    if (is_required) context.errors.required(path.child("restartPolicy"), kNoPolicy);
    return;
  }
  const bool is_sidecar = policy.text() == "Always";
  if (!context.options.allows_restart_rules) {
    if (!is_sidecar) context.errors.not_supported(path.child("restartPolicy"), policy.text(), {"Always"});
  } else if (!is_sidecar || context.options.allows_restart_all_containers) {
    check_restart_policy(container, path, context);
  } else if (!rules.empty()) {
    context.errors.forbidden(
        path.child("restartPolicyRules"),
        Text("restartPolicyRules are not allowed for init containers with restart policy Always"));
  }
}

void check_resize_policy(const Value& policies, const Path& path, Context& context) {
  Names resources;
  for (std::size_t i = 0; i < policies.size(); ++i) {
    const Value& resource = policies.at(i)["resourceName"];
    const Value& policy = policies.at(i)["restartPolicy"];
    if (!resources.insert(resource.text())) context.errors.duplicate_typed(path.at(i), resource.text());
    check_choice(resource, {"cpu", "memory"}, path, context.errors);
    check_choice(policy, {"NotRequired", "RestartContainer"}, path, context.errors);
    if (context.spec["restartPolicy"].text() == "Never" && policy.text() != "NotRequired") {
      context.errors.invalid_typed(path, policy.text(),
                                   Text("must be 'NotRequired' when pod `restartPolicy` is 'Never'"));
    }
  }
}

}  // namespace fixpoint::apiserver::validation
