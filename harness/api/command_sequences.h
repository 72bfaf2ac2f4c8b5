#pragma once

#include <fixpoint/fixpoint.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// Reconcilers of autoscalers, tested by Sequences of commands. This header needs the standard library alone.
namespace fixpoint {

namespace cases {
struct Sequence;
}

/// Does one reconcile. `stored` is a JSON array of the stored objects, `component` the desired state {name,
/// namespace, labels, annotations, spec}. Returns the requests to the API server in their order, as a JSON
/// array of {"verb": "create", "update" or "delete", "object": {…}, "dryRun": true}; of a deletion, kind and
/// name of the object count. An exception is the error of the reconcile. It must be a function of its
/// arguments alone.
using ReconcileHandler = std::function<std::string(const std::string& stored, const std::string& component)>;

/// A reconciler under test. Copies share it.
class Reconciler {
 public:
  /// A reconciler that ships with fixpoint: "kserve/hpa@0.15.0", without a release the newest one. Throws
  /// std::invalid_argument if there is none of that name.
  explicit Reconciler(const std::string& bundled);
  /// A reconciler of the caller's, which keeps a HorizontalPodAutoscaler as KServe's does: the Sequences are
  /// those of `kserve/hpa`. The name is its subject in Sequences and findings.
  Reconciler(std::string name, ReconcileHandler handler);

  std::string name() const;
  struct Hidden;
  const Hidden& hidden() const { return *hidden_; }  ///< for fixpoint itself

 private:
  std::shared_ptr<const Hidden> hidden_;
};

/// Commands to a cluster and to a reconciler, and the object that is stored at first. A value.
class Sequence {
 public:
  /// Nothing is stored at first, and there are no commands.
  explicit Sequence(const Reconciler& reconciler);
  /// Reads a Sequence from YAML or JSON (docs/formats.md#sequence), or that of a Finding. Throws
  /// std::invalid_argument with the place of the first mistake.
  static Sequence read(const std::string& text);

  std::string text() const;                ///< the canonical JSON, indented
  std::string initial() const;             ///< the object that is stored at first, or `null`
  std::vector<std::string> steps() const;  ///< each command as compact JSON: `{"set":"external"}`
  /// The same Sequence with one more command. Throws std::invalid_argument if it is none.
  Sequence with_step(const std::string& step) const;
  /// The same Sequence without any command.
  Sequence without_steps() const;

  friend bool operator==(const Sequence& a, const Sequence& b) { return a.text() == b.text(); }

  explicit Sequence(std::shared_ptr<const cases::Sequence> value) : value_(std::move(value)) {}
  const cases::Sequence& value() const { return *value_; }  ///< for fixpoint itself

 private:
  std::shared_ptr<const cases::Sequence> value_;
};

/// Draws the Sequence that `fuzz` draws for the reconciler with this seed as the Case of this number.
Sequence draw_sequence(std::uint64_t seed, std::uint64_t number, const Reconciler& reconciler);

/// Returns the Sequences that one pass of fixpoint's shrinker tries, those with the largest reductions first.
std::vector<Sequence> shrink_candidates(const Sequence& value, const Reconciler& reconciler);

/// Runs the Sequence and returns the properties of reconcilers that it violates.
std::vector<CheckFinding> violations(const Sequence& value, const Reconciler& reconciler);

}  // namespace fixpoint
