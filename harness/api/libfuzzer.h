#pragma once

#include <fixpoint/fixpoint.h>
#include <fixpoint/stored_findings.h>

#include <cstddef>
#include <cstdint>

/// A handler under a coverage-guided fuzzer: libFuzzer, or another one that calls LLVMFuzzerTestOneInput.
/// Link fixpoint::libfuzzer, which with clang has libFuzzer, and otherwise a main that runs the files and
/// folders of its command line. A whole target, of which the mutator may be left out:
///
///     const fixpoint::Webhook own(configuration, handler);
///     extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
///       return fixpoint::fuzz_one(data, size, own);
///     }
///     extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
///                                                    std::size_t size_max, unsigned int seed) {
///       return fixpoint::mutate_one(data, size, size_max, seed, own);
///     }
namespace fixpoint {

struct FuzzOptions {
  AcceptedFindings accepted = {};            ///< findings that do not end the fuzzer
  bool fails_on_warnings = false;            ///< findings of the severity warning end it, too
  std::uint64_t all_properties_one_in = 16;  ///< on the other inputs the cheap properties are checked
};

/// Runs the input as a Case of the webhook. The input is the JSON text of a Case, as mutate_one and
/// `fixpoint` write it; any other bytes are decisions from which a Case is drawn, two bytes each. If the
/// webhook violates a property, the finding is shrunk and printed on standard error, with its document for
/// `fixpoint replay`, and the process aborts. Returns 0, or -1 for a Case that cannot run. Aborts with a
/// message if the configuration of the webhook cannot be used.
int fuzz_one(const std::uint8_t* data, std::size_t size, const Webhook& webhook,
             const FuzzOptions& options = {});

/// Changes the Case in `data` in a few places of its structure, and returns its new size. An input that is no
/// Case is replaced by a drawn one.
std::size_t mutate_one(std::uint8_t* data, std::size_t size, std::size_t size_max, unsigned int seed,
                       const Webhook& webhook);

/// Writes the first Case with parts of the second (LLVMFuzzerCustomCrossOver); returns 0 if one is no Case.
std::size_t cross_one(const std::uint8_t* first, std::size_t first_size, const std::uint8_t* second,
                      std::size_t second_size, std::uint8_t* out, std::size_t out_size, unsigned int seed);

}  // namespace fixpoint
