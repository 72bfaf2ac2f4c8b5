#include <algorithm>
#include <string>
#include <vector>

#include "harness/apiserver/kinds/job_checks.h"
#include "harness/apiserver/kinds/job_policies.h"
#include "harness/apiserver/text/cron_schedules.h"
#include "harness/apiserver/text/time_zones.h"
#include "harness/apiserver/types/job_types.h"
#include "harness/apiserver/warnings/warnings.h"

// CronJobs (pkg/apis/batch, pkg/registry/batch/cronjob).
namespace fixpoint::apiserver::kinds {

namespace {

constexpr Name kInJobTemplate[] = {"spec", "jobTemplate", "spec", "template"};
constexpr std::size_t kNameBytesMax = 52;  ///< a Job's name has eleven more

bool names_zone(std::string_view schedule) { return schedule.find("TZ") != std::string_view::npos; }

void check_schedule(const Value& spec, const Value& old, const Path& path, Errors& errors) {
  const std::string_view schedule = spec["schedule"].text();
  if (schedule.empty()) return errors.required(path);
  if (const std::string problem = schedule_problem(schedule); !problem.empty())
    errors.invalid(path, schedule, problem);
  if (!names_zone(schedule)) return;
  if (!names_zone(old["schedule"].text()))
    errors.invalid(path, schedule, Text("cannot use TZ or CRON_TZ in schedule, use timeZone field instead"));
  else if (!spec["timeZone"].is_null())
    errors.invalid(path, schedule, Text("cannot use both timeZone field and TZ or CRON_TZ in schedule"));
}

/// A part of the name of a zone, between slashes.
bool is_part_of_zone(std::string_view part) {
  constexpr std::size_t kBytesMax = 14;
  const auto is_allowed = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_' || c == '+';
  };
  return !part.empty() && part.size() <= kBytesMax && part != "." && part != ".." && !part.starts_with('-') &&
         std::all_of(part.begin(), part.end(), is_allowed);
}

bool is_local(std::string_view zone) {
  constexpr std::string_view kLocal = "local";
  return std::equal(zone.begin(), zone.end(), kLocal.begin(), kLocal.end(),
                    [](char a, char b) { return validation::lower(a) == b; });
}

void check_zone(const Value& zone, const Path& path, Errors& errors) {
  if (zone.is_null()) return;
  const std::string_view name = zone.text();
  if (name.empty()) return errors.invalid_typed(path, name, Text("timeZone must be nil or non-empty string"));
  const std::string unknown = Text("unknown time zone {}").with({name});
  for (std::string_view rest = name;;) {
    const auto slash = rest.find('/');
    if (!is_part_of_zone(rest.substr(0, slash))) return errors.invalid_typed(path, name, unknown);
    if (slash == std::string_view::npos) break;
    rest.remove_prefix(slash + 1);
  }
  if (is_local(name))
    errors.invalid_typed(
        path, name,
        Text("timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones"));
  // Go refuses two dots before it looks for a file.
  if (name.find("..") != std::string_view::npos)
    return errors.invalid_typed(path, name, Text("time: invalid location name"));
  if (name != "Local" && !is_time_zone(name)) errors.invalid_typed(path, name, unknown);
}

void check_job_template(const Value& spec, const validation::Options& of_template, const Path& path,
                        Errors& errors) {
  check_job_spec(spec, of_template, path, errors);
  if (!spec["selector"].is_null())
    errors.invalid(path.child("selector"), spec["selector"], Text("`selector` will be auto-generated"));
  if (spec["manualSelector"].is_true())
    errors.not_supported_value(path.child("manualSelector"), spec["manualSelector"], {"nil", "false"});
}

void check_spec_of_cron_job(const Change& change, Errors& errors) {
  const Value &spec = change.spec(), &old = change.old_spec();
  const Path path("spec");
  check_schedule(spec, old, path.child("schedule"), errors);
  check_not_negative(spec,
                     {"startingDeadlineSeconds", "successfulJobsHistoryLimit", "failedJobsHistoryLimit"},
                     path, errors);
  if (!change.is_update() || !(spec["timeZone"] == old["timeZone"]))
    check_zone(spec["timeZone"], path.child("timeZone"), errors);
  validation::check_choice(spec["concurrencyPolicy"], {"Allow", "Forbid", "Replace"},
                           path.child("concurrencyPolicy"), errors);
  const Path template_path = path.child("jobTemplate.spec");
  check_job_template(spec["jobTemplate"]["spec"], change.of_template, template_path, errors);
}

void check_new_cron_job(const Change& change, Errors& errors) {
  const Value& metadata = change.object["metadata"];
  const Path path("metadata");
  validation::check_metadata(metadata, path, validation::MetadataRules::of_pods, errors);
  check_spec_of_cron_job(change, errors);
  if (metadata["name"].text().size() > kNameBytesMax)
    errors.invalid(path.child("name"), metadata["name"].text(), Text("must be no more than 52 characters"));
}

void warn_of_cron_job(const Change& change, std::vector<std::string>& warnings) {
  const bool is_new_generation = !change.is_update() || !(change.object["metadata"]["generation"] ==
                                                          change.old["metadata"]["generation"]);
  if (!change.is_update())
    for (std::string& one : name_warnings(change.object, change.minor)) warnings.push_back(std::move(one));
  if (is_new_generation)
    warn_of_indexes(change.spec()["jobTemplate"]["spec"], "spec.jobTemplate.spec", warnings);
  if (change.is_update() && names_zone(change.spec()["schedule"].text()))
    warnings.emplace_back(
        "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see "
        "https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details");
}

bool cron_job_panics(const Value& job) { return success_policy_panics(job["spec"]["jobTemplate"]["spec"]); }

}  // namespace

const TypedKind kCronJobs{.type = kCronJob,
                          .template_steps = kInJobTemplate,
                          .template_path = "spec.jobTemplate.spec.template",
                          .check_create = check_new_cron_job,
                          .check_update = check_spec_of_cron_job,
                          .panics = cron_job_panics,
                          .warn = warn_of_cron_job};

}  // namespace fixpoint::apiserver::kinds
