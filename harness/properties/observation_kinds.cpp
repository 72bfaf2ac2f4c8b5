#include "harness/properties/observation_kinds.h"

#include <array>

#include "harness/properties/property.h"

namespace fixpoint::properties {

namespace {

constexpr auto kKinds = std::to_array<ObservationKind>({
    {"always-false", "A match condition of a policy was false in every Case: the policy never acts."},
    {"always-true", "A match condition of a policy was true in every Case: it keeps nothing out."},
    {"annotation-guard",
     "An annotation is the webhook's only guard: it changes its own output again if the annotation is gone."},
    {"asked-for", "The cluster refuses what a setting of the user's own asks the webhook for."},
    {"asked-not-done",
     "What a label or an annotation asks for is not done where something is in its way, without a word."},
    {"brought-up-to-date",
     "The webhook changes the spec of an object from before it, in an update that leaves the spec alone."},
    {"costly", "An expression takes at least half of what the server allows to one evaluation."},
    {"created-only",
     "A label, an annotation or a member of the spec makes the webhook act when an object is created, and "
     "not "
     "when an update adds it."},
    {"cut-list",
     "A value with the separator of a list in it joins the list unescaped and reads back as two elements."},
    {"drops-amounts",
     "An annotation that sets one amount of an injected container takes others away that it has without it."},
    {"empty-for-absent",
     "An empty text, list or map of the user gets the value that an absent one gets, or is left out."},
    {"empty-patch", "A second call, on the webhook's own output, answers with a patch that changes nothing."},
    {"explicit-empty",
     "The webhook writes a member of a custom resource without contents: `[]`, `{}`, \"\"."},
    {"fails-on-invalid",
     "The webhook crashes on a Pod that the API server refuses in any case; its process goes on."},
    {"ignored-value",
     "A value of an annotation has no effect: the webhook neither acts on it, nor refuses it, nor warns."},
    {"filled-element",
     "The webhook adds a member to an element of a list that tools compare as a whole with the manifest."},
    {"image-cut", "A rewritten image loses its tag, its digest, or the port of its registry."},
    {"in-other-words",
     "A quantity, a duration or a value of an enumeration is stored in other words than it was sent."},
    {"left-out",
     "A part of the Pod does not get what the webhook gives to its siblings: a probe, or one of two "
     "containers."},
    {"mixed-secrets", "A user name comes from one Secret and its password from another."},
    {"moved", "The webhook moves what an author of a custom resource states to another member: a new name."},
    {"nested-mount",
     "A volume is mounted inside a read-only volume, where the kubelet cannot make the folder."},
    {"network-of-node",
     "The webhook adds a container that may change network rules to a Pod in the network of its node."},
    {"newer-field",
     "The webhook writes what the Kubernetes of the Case does not know and therefore refuses."},
    {"no-effect", "An operation of a patch has no effect."},
    {"odd-spelling",
     "A value such as False or 1 is taken for its opposite, or is copied to a place where it means nothing."},
    {"one-alternative",
     "The webhook adds a requirement to some terms of a node selector: they are alternatives, and the others "
     "do "
     "not require it."},
    {"outlives-its-pod",
     "The webhook adds a container to a Pod that is to end, as of a Job, and not as a native sidecar."},
    {"patch-order", "Equal requests get the same change by other operations or in another order."},
    {"refused-default",
     "The webhook refuses an object for a value that its author has not set: the definition's default has."},
    {"refused-unchanged",
     "A validating webhook refuses an update that changes nothing of an object which it took when it was "
     "created, once its status is written."},
    {"refused-value",
     "The value of a label or annotation is written to a field without a check, and the API server refuses "
     "it."},
    {"replaces", "The webhook replaces a value of the user by one of its own, whatever it was."},
    {"rewrites", "The webhook replaces a value of the user and gives each value a result of its own."},
    {"seen-once", "A property was violated once and not when the same Case was checked again."},
    {"system-selected", "A webhook with failurePolicy Fail is asked for Pods of kube-system, too."},
    {"undeclared-port", "The webhook writes a port into an annotation that no container declares or names."},
    {kUnservedKind, "The webhook refuses Pods since it asks for a kind that the cluster does not serve."},
    {"unset-value", "A missing value is written as a text: `<nil>`, `undefined`, `NaN`."},
    {"whole-list", "An operation writes a whole list to add or change one element; nothing is lost."},
});

}  // namespace

std::span<const ObservationKind> explained_observation_kinds() { return kKinds; }

std::span<const std::string_view> observation_kinds() {
  static constexpr auto kNames = [] {
    std::array<std::string_view, kKinds.size()> names{};
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = kKinds[i].name;
    return names;
  }();
  return kNames;
}

}  // namespace fixpoint::properties
