#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include "harness/runner/learning/program_lines.h"
#include "harness/runner/learning/program_text.h"

namespace fixpoint::runner {

/// Returns true for a text of YAML, JSON or Markdown, and for a template of such.
bool is_manifest_text(std::string_view path);

/// A key of the form DNS-prefix/name in a manifest or a document, with the value behind it.
struct ManifestPair {
  std::string_view key = {}, value = {};  ///< the value is empty if none follows
  MapKind map = MapKind::unknown;         ///< by the member around it: `labels:`
  std::size_t line = 0;                   ///< from 1
};

/// Calls `take` for each pair of a text. Images, addresses, versions of groups, and the keys that charts and
/// tools put everywhere (app.kubernetes.io, helm.sh) are left out.
void each_pair(const ProgramText& file, const std::function<void(const ManifestPair&)>& take);

}  // namespace fixpoint::runner
