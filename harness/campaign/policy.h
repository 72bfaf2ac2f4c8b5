#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "harness/cases/finding.h"
#include "harness/document/result.h"

namespace fixpoint::campaign {

/// A problem that is accepted until a date. It covers each finding with one of these ids or fingerprints, and
/// each finding of the same part that the same repair removes.
struct AcceptedProblem {
  std::string problem;                ///< its id
  std::vector<std::string> ids = {};  ///< the ids of all causes that were folded into the problem
  std::vector<std::string> fingerprints = {};
  std::string part = {};  ///< kserve/agent
  std::optional<cases::Repair> repair = {};
  std::string reason = {};
  std::string until = {};  ///< the last day of the acceptance, 2026-12-31
  std::string owner = {}, ticket = {};
  std::string finding_file = {};  ///< member `case`: the smallest Case as a Finding, which the gate replays
  bool covers(const cases::Finding& finding) const;
};

/// A bound on the latency of one call: a ratio to a reference workload in the same run, so that the result
/// does not depend on how slow or busy the machine is, and optionally a bound in microseconds.
struct BenchBound {
  std::string name;  ///< the name of a subject in the catalog, or of a file of subjects
  double ratio_max = 0;
  std::optional<double> microseconds_max = {};
};

/// The conditions that a release must meet (docs/formats.md#policy). Files are relative to the folder of the
/// policy.
struct Policy {
  std::string file;
  std::vector<std::string> subjects;
  std::vector<std::string> webhooks =
      {};  ///< their backends, as `--webhook` takes them: NAME=exec:CMD or NAME=URL
  std::vector<std::string> examples = {};  ///< files or folders of Pods that the runs begin with
  std::vector<std::string> code = {};      ///< folders with the sources of the webhooks
  std::vector<std::uint64_t> seeds = {1};
  std::optional<std::uint64_t> cases = {};        ///< the number of Cases of each run
  std::string time = {};                          ///< the duration of each run if there is no number of Cases
  std::string fail_on = "error";                  ///< the lowest severity that fails
  std::vector<std::string> fail_on_classes = {};  ///< symptoms of findings that fail with any severity
  std::vector<std::string> owns = {};             ///< paths that the subjects may change
  bool has_budget = false, has_fail_on = false;   ///< the file or the profile says it
  std::vector<AcceptedProblem> accepted = {};
  std::vector<std::string> conformance = {};  ///< files of vectors, with `*` expanded
  std::vector<BenchBound> bench = {};
  std::vector<std::string> vacuity_checks = {};  ///< vacuity checks that must have been judged and held
};

/// Reads a policy strictly. Each mistake is an error with the file, the line, the column and the pointer, and
/// with a similar name if there is one. Accepts the same texts as reports/schemas/policy.json, and also
/// checks that files exist, names are known and dates are days. If the policy itself is missing, the error
/// explains how to begin one. Budget, seeds and failOn of the `profile` come before those of the policy; an
/// empty name means none.
std::variant<Policy, std::vector<document::Error>> read_policy(const std::string& path,
                                                               const std::string& profile = "");

/// Returns true if the text is a day: 2026-02-28.
bool is_day(const std::string& text);
/// Returns today's date by the machine's clock, in UTC.
std::string today();

}  // namespace fixpoint::campaign
