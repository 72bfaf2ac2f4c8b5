#pragma once

#include <functional>
#include <set>
#include <string>

#include "harness/oracle/oracle_json.h"

namespace fixpoint::oracle {

/// Takes the short type of an error (R required, I invalid, D duplicate, F forbidden, NS not supported, NF
/// not found, TL too long) and the field.
using Blame = std::function<void(const char* type, const std::string& field)>;

void judge_metadata(const Json& metadata, const Blame& blame);
void judge_tolerations(const Json& tolerations, const Blame& blame);
/// Everything of a regular or init container but its name's uniqueness, its mounts and its probes.
void judge_container(const Json& container, const std::string& path, const Blame& blame);
void judge_probe(const Json& probe, const std::string& path, const char* which, const Blame& blame);
/// Mounts against the names of the volumes that are valid.
void judge_mounts(const Json& container, const std::string& path, const std::set<std::string>& volumes,
                  const Blame& blame);
/// The names of the volumes that are valid; `knows` becomes false when one is of a kind it does not know.
std::set<std::string> judge_volumes(const Json& volumes, const Blame& blame, bool& knows);

/// `path` with an index behind.
std::string nth(const std::string& path, std::size_t index);

}  // namespace fixpoint::oracle
