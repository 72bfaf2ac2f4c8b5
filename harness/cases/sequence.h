#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/case.h"
#include "harness/document/fields.h"

namespace fixpoint::cases {

/// One command of a Sequence: {"set": "external"} has the name `set` and the value "external".
struct Step {
  std::string name = {};
  Value value = {};
  bool server_defaults = true;  ///< for a reconcile: the API server applies its defaults
  bool is_reconcile() const { return name == "reconcile"; }
  bool operator==(const Step&) const = default;
};

/// Returns the step `reconcile: DESIRED`: one reconcile of the component {name, namespace, labels,
/// annotations, spec}, changed by the `set` steps before it. An absent spec means an empty one; null means no
/// component spec.
Step reconcile_step(Value desired = Value::empty_object(), bool server_defaults = true);

/// Commands to a cluster and to a reconciler (docs/formats.md#sequence). A Sequence is for a reconciler what
/// a Case is for a webhook.
struct Sequence {
  std::string name = {};
  std::string note = {};
  std::string subject = {};  ///< kserve/hpa@0.15.0
  Value initial = {};        ///< the autoscaler stored initially, or null
  std::vector<Step> steps = {};
  bool operator==(const Sequence&) const = default;
};

/// The default name and namespace of a component.
inline constexpr std::string_view kComponentName = "model-predictor";
inline constexpr std::string_view kComponentNamespace = "default";

/// Returns true if a document is a Sequence or the recorded form of one.
bool is_sequence(const Value& document);

/// The reader of one kind of step: `read` reads the member of that name, reports an invalid value, and
/// returns the value in its canonical form.
struct StepReader {
  std::string_view name = {};
  Value (*read)(document::Fields& fields, std::string_view name) = nullptr;
};

/// The names that the reader of a Sequence accepts.
struct SequenceReader {
  KnownInjector known_subject = {};  ///< checks the name of the subject; unset: every name is accepted
  /// The kinds of steps besides `reconcile`, in the order of error messages; unset: every step is accepted.
  std::optional<std::vector<StepReader>> steps = {};
};

/// Reads a Sequence strictly, or a recorded line of kind kserve-hpa: its `version` names the subject, and its
/// expectations are ignored.
Result<Sequence> read_sequence(const Value& document, const SequenceReader& reader = {});

/// Returns the canonical form as a value or as text.
Value write_sequence(const Sequence& value);
std::string canonical_text(const Sequence& value);

/// Returns a step as text: "set external", "user create", "stop true", "reconcile".
std::string words(const Step& step);

/// The name and the namespace of the component in the first reconcile.
struct ComponentName {
  std::string name{kComponentName};
  std::string namespace_name{kComponentNamespace};
};
ComponentName component_of(const Sequence& value);

}  // namespace fixpoint::cases
