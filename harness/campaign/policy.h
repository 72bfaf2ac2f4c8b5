#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "harness/cases/finding.h"
#include "harness/document/result.h"

namespace fixpoint::campaign {

/// A finding that is known and accepted for a while.
struct Expectation {
  std::string fingerprint;
  std::string reason;
  std::string until;  ///< the last day on which it holds, 2026-12-31
};

/// A problem that is known and accepted for a while. It covers a finding of one of these ids or fingerprints,
/// and one of the same part that the same repair heals.
struct AcceptedProblem {
  std::string problem;                ///< its id
  std::vector<std::string> ids = {};  ///< of all causes that were folded into it
  std::vector<std::string> fingerprints = {};
  std::string part = {};  ///< kserve/agent
  std::optional<cases::Repair> repair = {};
  std::string reason = {};
  std::string until = {};  ///< the last day on which it holds, 2026-12-31
  std::string owner = {}, ticket = {};
  std::string finding_file = {};  ///< member `case`: its smallest Case as a Finding, which the gate replays
  bool covers(const cases::Finding& finding) const;
};

/// A bound on the latency of one call: as the ratio to a reference workload in the same run, so that a slow
/// or busy machine does not decide, and optionally in microseconds.
struct BenchBound {
  std::string name;  ///< of the catalog, or of a file of subjects
  double ratio_max = 0;
  std::optional<double> microseconds_max = {};
};

/// The conditions that a release must meet (docs/formats.md#policy). Files are relative to the folder of the
/// policy.
struct Policy {
  std::string file;
  std::vector<std::string> subjects;
  std::vector<std::uint64_t> seeds = {1};
  std::optional<std::uint64_t> cases = {};        ///< of each run
  std::string time = {};                          ///< of each run, when it has no number of Cases
  std::string fail_on = "error";                  ///< the least severity that fails
  std::vector<std::string> fail_on_classes = {};  ///< symptoms of findings that fail with any severity
  std::vector<std::string> owns = {};             ///< paths that the subjects may change
  std::vector<AcceptedProblem> accepted = {};
  std::vector<Expectation> expectations = {};  ///< as files of older versions have them
  std::vector<std::string> conformance = {};   ///< files, `*` already expanded
  std::vector<BenchBound> bench = {};
  std::vector<std::string> gates = {};  ///< vacuity checks that must have been judged and held
};

/// Reads a policy strictly: each mistake is an error with the file, the line, the column and the pointer, and
/// a did-you-mean if there is one. Accepts the same texts as reports/schemas/policy.json, and then checks
/// that files exist, names are known and dates are days. Of a file that is not there the error says how to
/// begin one.
std::variant<Policy, std::vector<document::Error>> read_policy(const std::string& path);

/// Returns true if a text is a day: 2026-02-28.
bool is_day(const std::string& text);
/// Returns today's date by the machine's clock, in UTC.
std::string today();

}  // namespace fixpoint::campaign
