#pragma once

#include <array>
#include <string>
#include <vector>

#include "harness/cli/command.h"

namespace fixpoint::cli {

/// The folders of a corpus.
inline constexpr std::array<const char*, 2> kCorpusParts{"regressions", "seeds"};

// Each subcommand of `corpus` is one function, which parses its own arguments and returns an exit code.
int corpus_add(const Arguments& arguments);
int corpus_list(const Arguments& arguments);
int corpus_merge(const Arguments& arguments);
int corpus_minimise(const Arguments& arguments);
int corpus_verify(const Arguments& arguments);

}  // namespace fixpoint::cli
