#include "harness/apiserver/kinds/job_checks.h"

#include "harness/apiserver/kinds/job_policies.h"

namespace fixpoint::apiserver::kinds {

namespace {

constexpr std::int64_t kIndexedMax = 100000, kManyCompletions = 100000, kMostWithMany = 10000;
constexpr std::size_t kManagedByBytesMax = 63;

bool is_indexed(const Value& spec) { return spec["completionMode"].text() == "Indexed"; }

bool exceeds(const Value& number, std::int64_t most) { return number.integer().value_or(0) > most; }

/// Reports a text that is no `acme.io/foo` (IsDomainPrefixedPath in
/// k8s.io/apimachinery/pkg/util/validation/validation.go).
void check_prefixed_path(std::string_view text, const Path& path, Errors& errors) {
  if (text.empty()) return errors.required(path);
  const auto slash = text.find('/');
  if (slash == std::string_view::npos || slash == 0 || slash + 1 == text.size())
    return errors.invalid(path, text, Text("must be a domain-prefixed path (such as \"acme.io/foo\")"));
  const std::string_view host = text.substr(0, slash), rest = text.substr(slash + 1);
  errors.invalid(path, host, validation::check_dns_subdomain(host));
  constexpr std::string_view kPath =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-._~%!$&'()*+,;=:";
  if (rest.find_first_not_of(kPath) != std::string_view::npos)
    errors.invalid(path, rest,
                   Text("Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')"));
}

void check_indexed(const Value& spec, const Path& path, Errors& errors) {
  const Value &completions = spec["completions"], &parallelism = spec["parallelism"],
              &failed = spec["maxFailedIndexes"];
  const Path failed_path = path.child("maxFailedIndexes"), parallelism_path = path.child("parallelism");
  if (completions.is_null())
    errors.required(path.child("completions"), Text("when completion mode is Indexed"));
  if (exceeds(parallelism, kIndexedMax))
    errors.invalid(parallelism_path, parallelism,
                   Text("must be less than or equal to 100000 when completion mode is Indexed"));
  if (!completions.is_null() && !failed.is_null() && exceeds(failed, completions.integer().value_or(0)))
    errors.invalid(failed_path, failed, Text("must be less than or equal to completions"));
  if (exceeds(failed, kIndexedMax))
    errors.invalid(failed_path, failed, Text("must be less than or equal to 100000"));
  if (!exceeds(completions, kManyCompletions) || spec["backoffLimitPerIndex"].is_null()) return;
  if (failed.is_null())
    errors.required(failed_path, Text("must be specified when completions is above 100000"));
  const Text kWithMany(
      "must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per "
      "index");
  if (exceeds(parallelism, kMostWithMany)) errors.invalid(parallelism_path, parallelism, kWithMany);
  if (exceeds(failed, kMostWithMany)) errors.invalid(failed_path, failed, kWithMany);
}

void check_mode(const Value& spec, const Path& path, Errors& errors) {
  const Value& mode = spec["completionMode"];
  if (!mode.is_null() && !validation::is_one_of(mode.text(), {"NonIndexed", "Indexed"}))
    errors.not_supported(path.child("completionMode"), mode.text(), {"NonIndexed", "Indexed"});
  if (is_indexed(spec)) return check_indexed(spec, path, errors);
  if (!mode.is_null() && mode.text() != "NonIndexed") return;
  for (const char* member : {"backoffLimitPerIndex", "maxFailedIndexes"})
    if (!spec[member].is_null())
      errors.invalid(path.child(member), spec[member], Text("requires indexed completion mode"));
}

void check_policies(const Value& spec, const Path& path, Errors& errors) {
  const Value &success = spec["successPolicy"], &replacement = spec["podReplacementPolicy"];
  const bool has_failure_policy = !spec["podFailurePolicy"].is_null();
  if (has_failure_policy) check_failure_policy(spec, path.child("podFailurePolicy"), errors);
  const Path success_path = path.child("successPolicy");
  if (!success.is_null() && !is_indexed(spec))
    errors.invalid(success_path, success, kSuccessPolicyMembers, Text("requires indexed completion mode"));
  else if (!success.is_null())
    check_success_policy(spec, success_path, errors);
  const Path replacement_path = path.child("podReplacementPolicy");
  constexpr std::string_view kFailed[] = {"Failed"}, kBoth[] = {"Failed", "TerminatingOrFailed"};
  const validation::Choices choices =
      has_failure_policy ? validation::Choices(kFailed) : validation::Choices(kBoth);
  if (!replacement.is_null() && !validation::is_one_of(replacement.text(), choices))
    errors.not_supported(replacement_path, replacement.text(), choices);
}

void check_restart_policy(const Value& spec, const Path& path, Errors& errors) {
  const std::string_view policy = spec["template"]["spec"]["restartPolicy"].text();
  if (policy.empty() || policy == "Always") {
    errors.required(path, Text("valid values: \"OnFailure\", \"Never\""));
  } else if (!validation::is_one_of(policy, {"OnFailure", "Never"})) {
    errors.not_supported(path, policy, {"OnFailure", "Never"});
  } else if (!spec["podFailurePolicy"].is_null() && policy != "Never") {
    errors.invalid_typed(path, policy,
                         Text("only \"Never\" is supported when podFailurePolicy is specified"));
  }
}

}  // namespace

void check_job_spec(const Value& spec, const validation::Options& of_template, const Path& path,
                    Errors& errors) {
  check_not_negative(spec,
                     {"parallelism", "completions", "activeDeadlineSeconds", "backoffLimit",
                      "ttlSecondsAfterFinished", "backoffLimitPerIndex", "maxFailedIndexes"},
                     path, errors);
  if (!spec["maxFailedIndexes"].is_null() && spec["backoffLimitPerIndex"].is_null())
    errors.required(path.child("backoffLimitPerIndex"), Text("when maxFailedIndexes is specified"));
  if (const Value& manager = spec["managedBy"]; !manager.is_null()) {
    check_prefixed_path(manager.text(), path.child("managedBy"), errors);
    if (manager.text().size() > kManagedByBytesMax)
      errors.too_long(path.child("managedBy"), kManagedByBytesMax);
  }
  check_mode(spec, path, errors);
  check_policies(spec, path, errors);
  const Path template_path = path.child("template");
  validation::check_pod_template(spec["template"], of_template, template_path, errors);
  check_restart_policy(spec, template_path.child("spec.restartPolicy"), errors);
}

void warn_of_indexes(const Value& spec, std::string_view path, std::vector<std::string>& warnings) {
  if (!is_indexed(spec) || !exceeds(spec["completions"], kManyCompletions) ||
      !exceeds(spec["parallelism"], kMostWithMany))
    return;
  warnings.push_back(std::string(path).append(
      ": In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, "
      "Kubernetes might not be able to track completedIndexes when a big number of indexes fail"));
}

void drop_disabled_job_fields(Value& spec, const Value& old, int minor) {
  struct Row {
    Name member;
    int since;
    bool is_kept;  ///< on an update, whatever the stored Job has
  };
  const Row rows[] = {{"successPolicy", 31, false}, {"managedBy", 32, !old.is_null()}};
  for (const Row& row : rows)
    if (minor < row.since && !row.is_kept && old[row.member].is_null()) spec.remove(row.member);
}

}  // namespace fixpoint::apiserver::kinds
