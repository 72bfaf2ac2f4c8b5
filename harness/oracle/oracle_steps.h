#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/oracle/oracle_json.h"

namespace fixpoint::oracle {

/// An object as the server has it in memory.
struct Object {
  Json document = {};
  /// The fractions of seconds in its times, which its JSON does not have: a patch whose round trip loses one
  /// counts as a change (docs/simulator.md#4-3).
  std::string fractions = {};
};

/// The objects of a request with which mutating admission begins.
struct Received {
  Object object = {};
  Json old_object = {};  ///< null of a creation
  std::vector<std::string> warnings = {};
};

/// The object with which mutating admission ends.
struct Finished {
  Json object = {};
  std::vector<std::string> warnings = {};
};

/// Thrown for a patch that the server refuses; `kind` says in which way. `test` is an operation of that name
/// whose value differs.
struct PatchRefused : std::runtime_error {
  enum class Kind { syntax, apply, test, panic };
  PatchRefused(Kind which, const std::string& why) : std::runtime_error(why), kind(which) {}
  Kind kind;
};
/// Thrown for an apply configuration that the server does not merge.
struct MergeRefused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The server's work on one object, before, between and after the calls. The reference model has none of it:
/// it knows when a step is due, on which object, and what follows.
struct Steps {
  /// The handler's work before mutating admission, and after it on an object that is `received` otherwise.
  /// receive() throws Rejected, and Undecodable for an object that no Case may contain.
  std::function<Received()> receive;
  std::function<Finished(const Json& object, const Received& received)> finish;
  /// The in-tree plugins of a pass. Throws Rejected.
  std::function<Json(const Json& object, const Json& old_object, int pass)> run_plugins;

  /// Returns true if the bytes of a patch have operations. Throws PatchRefused (syntax).
  std::function<bool(const std::string& patch)> has_operations;
  /// Applies the bytes of a patch. Throws PatchRefused.
  std::function<Json(const Json& object, const std::string& patch)> apply_patch;
  /// Merges an apply configuration into an object. Throws MergeRefused.
  std::function<Json(const Json& object, const Json& configuration)> merge;

  /// Decodes an object that was patched or merged. Throws Undecodable.
  std::function<Object(const Json& changed)> decode;
  /// Returns true if a patched object has members that its kind does not have.
  std::function<bool(const Json& changed)> has_unknown_members;
  std::function<Json(const Json& decoded)> with_defaults;
  /// Converts an object to the server's own form. Throws Undecodable for one that is of another kind now.
  std::function<Json(const Json& object)> convert;
  /// Compares by semantic equality.
  std::function<bool(const Json& before, const Json& after)> is_same;

  /// The same with the fractions of seconds.
  bool is_unchanged(const Object& before, const Object& after) const {
    return before.fractions == after.fractions && is_same(before.document, after.document);
  }
};

}  // namespace fixpoint::oracle
