#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

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
  int minor = 36;
  std::vector<document::Value> requests = {};  ///< asked in place of drawn ones
  std::size_t batch_lines = 500;               ///< asked of one process
  std::size_t shrinks_max = 10;                ///< disagreements that are shrunk; the others stand as drawn
  std::size_t shrink_asks_max = 1500;          ///< questions for one of them
};

/// A request on which simulator and recorder differ, complete with the recorder's answer.
struct Disagreement {
  document::Value line;
  Compared compared;
  bool is_shrunk = false;
  long times = 1;  ///< drawn requests that shrank to this one
};

struct LiveReport {
  struct Counted {
    Counts counts = {};
    long refused = 0;   ///< the recorder cannot be asked that
    long answered = 0;  ///< of these, what the simulator has an answer to
  };
  std::map<std::string, Counted> by_kind = {};
  std::set<std::string> sites = {};  ///< "type field" of all validation errors seen, without indices and keys
  std::vector<Disagreement> disagreements = {};
  std::map<std::string, long> unsupported = {};  ///< requests by why the simulator has no answer
};

/// Draws requests, asks the recorder, compares, and shrinks what differs. The report is a function of the
/// options and of the answers. An error ends it: the recorder broke the protocol.
document::Result<LiveReport> run_live(const LiveOptions& options, const Ask& ask);

/// What one question came to; nothing when the recorder refused it. Fails when the answer is to another one.
struct Judged {
  document::Value line = {};  ///< the request with the recorder's expectations
  Compared compared = {};
  bool is_refused = false;
};
document::Result<std::vector<Judged>> judge(const std::vector<document::Value>& requests, const Ask& ask,
                                            Death death = Death::is_an_error);

}  // namespace fixpoint::conformance
