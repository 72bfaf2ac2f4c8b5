#pragma once

#include <array>

#include "generators/draw_context.h"
#include "generators/linked_object.h"
#include "harness/cases/case.h"
#include "harness/document/value.h"
#include "harness/runner/learning/choices.h"
#include "harness/runner/learning/subject.h"

// The contents of the objects that a webhook reads from its cluster.
namespace fixpoint::generators {

/// Names of objects that the webhook lists, and of a Node.
inline constexpr std::array<const char*, 2> kListed{"example", "other"};
inline constexpr const char* kNode = "node-1";

/// Everything that the contents of an object are drawn from.
struct ReadSource {
  const PreparedSubject& subject;
  const runner::Vocabulary::Read& read;
  const cases::Case& value;
  const LinkTargets& targets;  ///< that texts of the object may name
  bool is_shared = false;      ///< by several Cases: its metadata say nothing about the request
  /// The decisions by which a shared object is linked with this Case; nullptr: it is not, or those that draw
  /// it do.
  runner::Choices* links = nullptr;
};

/// Adds labels and annotations that have a meaning to the webhook: those by which it selects objects of the
/// kind, and of the others some, as on a Pod.
void put_metadata(runner::Choices& choices, const ReadSource& source, document::Value& metadata);

/// Adds what the kind has beside its metadata, linked with the Case. Returns false if no contents could be
/// found that the API server stores.
bool put_contents(runner::Choices& choices, const ReadSource& source, document::Value& object, int minor);

}  // namespace fixpoint::generators
