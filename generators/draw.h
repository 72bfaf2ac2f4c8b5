#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/cases/case.h"
#include "harness/runner/learning/choices.h"
#include "harness/runner/learning/steering.h"
#include "harness/runner/learning/subject.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::generators {

using cases::Case;
using document::Value;
using runner::Choices;
using runner::Subject;

/// The webhooks that may occur in a drawn chain, and the events that may happen to it.
struct DrawOptions {
  std::vector<Subject> subjects = {};  ///< every Case contains one of them
  bool has_chains = false;             ///< half of the Cases contain all subjects that fit into one cluster
  std::vector<Subject> peers = {};     ///< up to peers_max of them are added before and after the subject
  int peers_max = 3;
  bool has_all_peers = false;  ///< instead, every Case contains all peers
  bool has_faults = true;
  bool has_scripts = true;  ///< well-behaved script webhooks and policies are added as peers, too
  bool has_updates = true;  ///< UPDATE requests and subresources
  /// Runs injectors while drawing, so that some Pods are already injected. Without it no Pod is.
  webhooks::Resolve resolve = {};
  std::vector<std::string> earlier = {};  ///< earlier releases of the subjects, by name
};

/// Prepared DrawOptions: the vocabularies, handlers and configurations that all Cases share. Safe to read
/// from several threads.
class DrawContext {
 public:
  explicit DrawContext(DrawOptions options);
  struct Prepared;
  const Prepared& operator*() const { return *prepared_; }
  const Prepared* operator->() const { return prepared_.get(); }

 private:
  std::shared_ptr<const Prepared> prepared_;
};

/// Draws a Case from decisions. Every drawn Case reads back from its text. Case 12 of a run with the seed 7:
///
///     const DrawContext context({.subjects = {subject}, .resolve = injectors::resolve});
///     Choices choices(7, 12);
///     const Case value = draw(choices, context);
///
/// `steering`, one element for each
/// subject, leads the drawn subject to act.
Case draw(Choices& choices, const DrawContext& draw_context, std::span<const runner::Steering> steering = {});
/// Returns the number of Cases at the start of a run that are unchanged examples, subject by subject.
std::uint64_t beginnings(const DrawContext& draw_context);
/// Draws a single Case; prepares the options on each call.
Case draw(Choices& choices, const DrawOptions& options);

/// Draws a Pod as a client sends it, in which the values of the vocabularies are present, nearly present or
/// absent.
Value draw_pod(Choices& choices, const std::vector<const runner::Vocabulary*>& vocabularies);

}  // namespace fixpoint::generators
