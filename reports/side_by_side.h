#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/document/value.h"
#include "reports/run_record.h"

namespace fixpoint::reports {

/// Compares two documents as YAML, side by side: returns the lines that differ, with a few lines around them.
/// `again` are the items that an earlier call had already added, as a trace names them ("+ volume models"):
/// the lines of an added list element of that name are marked. `path` is the evidence of a finding
/// (`spec.volumes[1].name`): if a change begins its value on either side, that line is marked. Members are in
/// the order of `before`. Lines after the first `lines_max` of a document are not compared.
std::vector<DiffLine> side_by_side(const document::Value& before, const document::Value& after,
                                   const std::vector<std::string>& again, std::string_view path = "",
                                   std::size_t lines_max = 4000);

}  // namespace fixpoint::reports
