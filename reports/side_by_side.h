#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/document/value.h"
#include "reports/run_record.h"

namespace fixpoint::reports {

/// Two documents as YAML beside one another: the lines that differ with a few around them. `again` are the
/// items that an earlier call had added already, as a trace says them ("+ volume models"): the lines of a
/// list's added element of that name are marked. `path` is the evidence of a finding
/// (`spec.volumes[1].name`): where a change begins its value on either side, its line is marked. The order of
/// members is that of `before`. Texts of more than `lines_max` lines are compared no further than that.
std::vector<DiffLine> side_by_side(const document::Value& before, const document::Value& after,
                                   const std::vector<std::string>& again, std::string_view path = "",
                                   std::size_t lines_max = 4000);

}  // namespace fixpoint::reports
