#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "harness/cases/case.h"

namespace fixpoint::cases {

/// `set: CLASS`: the component's annotation for the class of its autoscaler; `absent` takes it away.
struct SetClass {
  std::optional<std::string> name = {};
  bool operator==(const SetClass&) const = default;
};
/// `user: create|update|delete`: a user's own autoscaler of the component's name.
struct UserDoes {
  enum class Verb { create, update, remove } verb = Verb::create;
  bool operator==(const UserDoes&) const = default;
};
/// `stop: true|false`: the component's annotation that stops it.
struct SetStop {
  bool stop = false;
  bool operator==(const SetStop&) const = default;
};
/// `reconcile: DESIRED`: one reconcile of the component {name, namespace, labels, annotations, spec}. A class
/// and a stop that were set before are put into its annotations. An absent spec is an empty one, null is
/// none.
struct Reconcile {
  Value desired = Value::empty_object();
  bool server_defaults = true;  ///< whether the API server applies its defaults to what is stored
  bool operator==(const Reconcile&) const = default;
};
using Step = std::variant<SetClass, UserDoes, SetStop, Reconcile>;

/// Commands to a cluster and to a reconciler in turn (decisions.md, HPA): what a Case is to a webhook. A
/// value.
struct Sequence {
  std::string name = {};
  std::string note = {};
  std::string subject = {};  ///< kserve/hpa@0.15.0
  Value initial = {};        ///< the autoscaler that is stored at first, or null
  std::vector<Step> steps = {};
  bool operator==(const Sequence&) const = default;
};

/// What every component is called that does not say otherwise.
inline constexpr std::string_view kComponentName = "model-predictor";
inline constexpr std::string_view kComponentNamespace = "default";

/// Whether a document is a Sequence or the recorded form of one.
bool is_sequence(const Value& document);

/// Reads a Sequence strictly, or a recorded line of kind kserve-hpa, whose `version` names the subject and
/// whose expectations are left out. `known_subject` judges the subject's name.
Result<Sequence> read_sequence(const Value& document, const KnownInjector& known_subject = {});

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
