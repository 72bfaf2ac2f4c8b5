#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/cases/minors.h"
#include "harness/conformance/recorder_client.h"
#include "harness/conformance/vectors.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::conformance {

using Ask = std::function<document::Result<std::vector<Answered>>(const std::vector<Question>& questions,
                                                                  Death death)>;

struct LiveOptions {
  std::vector<std::string> kinds = {};
  std::uint64_t lines = 1000;  ///< of each kind
  std::uint64_t seed = 1;
  int minor = cases::kNewestMinor;
  std::vector<document::Value> requests = {};  ///< used instead of drawn ones
  std::size_t batch_lines = 500;               ///< sent to one process
  std::size_t shrinks_max = 10;        ///< disagreements that are shrunk; others are reported as drawn
  std::size_t shrink_asks_max = 1500;  ///< requests to the recorder for one of them
};

/// A request on which simulator and recorder differ, with the recorder's answer.
struct Disagreement {
  document::Value line;
  Compared compared;
  bool is_shrunk = false;
  long times = 1;  ///< drawn requests that shrank to this one
};

struct LiveReport {
  struct Counted {
    Counts counts = {};
    long refused = 0;   ///< the recorder refused the request
    long answered = 0;  ///< of these, requests that the simulator accepts
  };
  std::map<std::string, Counted> by_kind = {};
  std::set<std::string> sites = {};  ///< "type field" of all validation errors seen, without indices and keys
  std::vector<Disagreement> disagreements = {};
  std::map<std::string, long> unsupported = {};  ///< number of requests by the simulator's reason
};

/// Draws requests, sends them to the recorder, compares the answers, and shrinks disagreements. The report is
/// a function of the options and the answers. An error if the recorder breaks the protocol.
document::Result<LiveReport> run_live(const LiveOptions& options, const Ask& ask);

/// The result of one request. judge() fails if an answer belongs to another request.
struct Judged {
  document::Value line = {};  ///< the request with the recorder's expectations
  Compared compared = {};
  bool is_refused = false;
};
document::Result<std::vector<Judged>> judge(const std::vector<document::Value>& requests, const Ask& ask,
                                            Death death = Death::is_an_error);

}  // namespace fixpoint::conformance
