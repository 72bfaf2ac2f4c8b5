#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/cases/case.h"
#include "harness/runner/choices.h"
#include "harness/runner/steering.h"
#include "harness/runner/subject.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::generators {

using cases::Case;
using document::Value;
using runner::Choices;
using runner::Subject;

/// Who may stand in a drawn chain, and what may happen to it.
struct DrawOptions {
  std::vector<Subject> subjects = {};  ///< one of them is in every Case
  bool has_chains = false;          ///< in half of the Cases all of them, as far as one cluster can have them
  std::vector<Subject> peers = {};  ///< 0 to peers_max of them stand before and behind it
  int peers_max = 3;
  bool has_all_peers = false;  ///< instead: every peer is in every Case
  bool has_faults = true;
  bool has_scripts = true;  ///< well-behaved script webhooks join as peers, too
  bool has_updates = true;  ///< UPDATE requests and subresources
  /// Runs injectors while drawing, so that Pods occur which are injected already. Without it none do.
  webhooks::Resolve resolve = {};
  std::vector<std::string> earlier = {};  ///< earlier releases of the subjects, by name
};

/// DrawOptions made ready once: vocabularies, handlers and configurations that all Cases share. Read from
/// several threads.
class DrawContext {
 public:
  explicit DrawContext(DrawOptions options);
  struct Prepared;
  const Prepared& operator*() const { return *prepared_; }
  const Prepared* operator->() const { return prepared_.get(); }

 private:
  std::shared_ptr<const Prepared> prepared_;
};

/// The one function from decisions to a Case. Every drawn Case reads back. `steering` leads the subject of
/// that number to act.
Case draw(Choices& choices, const DrawContext& draw_context, std::span<const runner::Steering> steering = {});
/// How many Cases a run begins with that are examples as they are: the first ones, subject by subject.
std::uint64_t beginnings(const DrawContext& draw_context);
/// The same for a single Case: prepares the options each time.
Case draw(Choices& choices, const DrawOptions& options);

/// A Pod as a client sends it, with what the vocabularies know in it: present, nearly present, or absent.
Value draw_pod(Choices& choices, const std::vector<const runner::Vocabulary*>& vocabularies);

}  // namespace fixpoint::generators
