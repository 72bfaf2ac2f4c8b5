#pragma once

#include "harness/apiserver/kinds/workload_checks.h"

namespace fixpoint::apiserver::kinds {

/// Checks the spec of a Job, or of the Jobs of a CronJob, apart from its selector.
void check_job_spec(const Value& spec, const validation::Options& of_template, const Path& path,
                    Errors& errors);
/// Warns of a Job with so many indexes that the server may not keep track of them.
void warn_of_indexes(const Value& spec, std::string_view path, std::vector<std::string>& warnings);
/// The spec without what the server has switched off in the minor, unless the stored one has it.
void drop_disabled_job_fields(Value& spec, const Value& old, int minor);

}  // namespace fixpoint::apiserver::kinds
