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
  bool server_defaults = true;  ///< of a reconcile: the API server applies its defaults
  bool is_reconcile() const { return name == "reconcile"; }
  bool operator==(const Step&) const = default;
};

/// `reconcile: DESIRED`: one reconcile of the component {name, namespace, labels, annotations, spec}, changed
/// by the `set` steps before it. An absent spec is an empty one, null is none.
Step reconcile_step(Value desired = Value::empty_object(), bool server_defaults = true);

/// Commands to a cluster and to a reconciler (docs/formats.md#sequence): for a reconciler the counterpart of
/// a webhook's Case. A value.
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

/// The reader of one kind of step: `read` takes the member of that name, reports an invalid value, and
/// returns the value in its canonical form.
struct StepReader {
  std::string_view name = {};
  Value (*read)(document::Fields& fields, std::string_view name) = nullptr;
};

/// The names that a reader of Sequences accepts.
struct SequenceReader {
  KnownInjector known_subject = {};  ///< checks the subject's name; unset: accept every name
  /// The kinds of steps beside `reconcile`, in the order of messages; unset: accept every step.
  std::optional<std::vector<StepReader>> steps = {};
};

/// Reads a Sequence strictly, or a recorded line of kind kserve-hpa, whose `version` names the subject and
/// whose expectations are left out.
Result<Sequence> read_sequence(const Value& document, const SequenceReader& reader = {});

/// The canonical form, and its bytes.
Value write_sequence(const Sequence& value);
std::string canonical_text(const Sequence& value);

/// "set external", "user create", "stop true", "reconcile": a step in words.
std::string words(const Step& step);

/// The component's name and namespace: those of the first reconcile.
struct ComponentName {
  std::string name{kComponentName};
  std::string namespace_name{kComponentNamespace};
};
ComponentName component_of(const Sequence& value);

}  // namespace fixpoint::cases
