#pragma once

#include <functional>
#include <set>
#include <string>

#include "harness/oracle/oracle_json.h"

namespace fixpoint::oracle {

/// Receives the short type of an error (R required, I invalid, D duplicate, F forbidden, NS not supported, NF
/// not found, TL too long) and the field.
using Blame = std::function<void(const char* type, const std::string& field)>;

void judge_metadata(const Json& metadata, const Blame& blame);
void judge_tolerations(const Json& tolerations, const Blame& blame);
/// Checks a regular or init container, except for the uniqueness of its name, its mounts and its probes.
void judge_container(const Json& container, const std::string& path, const Blame& blame);
void judge_probe(const Json& probe, const std::string& path, const char* which, const Blame& blame);
/// Checks mounts against the names of the valid volumes.
void judge_mounts(const Json& container, const std::string& path, const std::set<std::string>& volumes,
                  const Blame& blame);
/// Checks volumes and returns the names of the valid ones; sets `knows` to false if a volume has a kind
/// without rules here.
std::set<std::string> judge_volumes(const Json& volumes, const Blame& blame, bool& knows);

/// Returns `path` with an index at its end.
std::string nth(const std::string& path, std::size_t index);

}  // namespace fixpoint::oracle
