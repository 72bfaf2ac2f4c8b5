#include "harness/properties/explanation.h"

namespace fixpoint::properties {

namespace {

constexpr Explanation kExplanations[] = {
    {"no-duplicate-names", "The second call appends the volume again: spec.volumes has its name twice.",
     "The API server refuses the Pod with 422, or takes it with a warning and one entry hides the other.",
     "Look for the element by its key, in every list that shares it, before adding it; update it when it is "
     "there."},
    {"valid-spec", "A mount is added whose volume is not, or a request above the limit.",
     "Creation fails with 422 for a Pod that was right, and the user cannot see why.",
     "Check what the user already has (limits, hostNetwork, names) before adding what depends on it."},
    {"converges", "Two injectors each put their container in front; every call moves one of them.",
     "What runs depends on how often the server happened to call: reinvocation, updates, controllers.",
     "Assert facts of the Pod instead of your own place in it; let one of two rivals give way."},
    {"bounded-growth", "A registry prefix is put in front of an image at every call.",
     "Each update or reinvocation makes the object larger, until a limit or the image pull fails.",
     "Recognise your own output: write the wanted value, never old value plus something."},
    {"idempotent", "A guard in an annotation is lost when a user copies the Pod, and all is added again.",
     "The server may call twice for one request; copies and restored backups come in already injected.",
     "Guard each element by what is in the Pod, not by one annotation for all; call yourself twice in a "
     "test."},
    {"preserves-others",
     "A probe of a kind that the compiled-in library does not know is gone after the call.",
     "A user's setting disappears silently, at every upgrade of Kubernetes another one.",
     "Patch only what you own, with operations on paths; never send back a typed copy of the whole Pod."},
    {"patch-well-formed", "`add /metadata/annotations/example.com/key` without ~1 for the slash.",
     "The server answers 500, or writes somewhere else than was meant.",
     "Let a library make the patch; create parents first, escape keys, remove from the back."},
    {"deterministic", "Injected env comes in the order of a hash map.",
     "Controllers that compare Pods see a change where there is none and roll out for nothing.",
     "Sort what comes from a map; take no time, random number or replica's state into the Pod."},
    {"accepts-own-output", "The webhook denies a Pod whose resources it translated at the first call.",
     "With reinvocation, or when the Pod is created from a live one, creation is refused.",
     "Allow what is done already, with no patch."},
    {"reinvocation-valid",
     "A neighbour put its container in front; the guard looks at index 0 and adds again.",
     "Only in clusters with that neighbour Pods are refused, and the message names your elements.",
     "Find your elements by name wherever they stand."},
    {"reinvocation-complete", "The volume is there, so the webhook returns: a late sidecar gets no mount.",
     "The sidecar of another injector runs without the identity, proxy settings or secrets it needs.",
     "Guard each container by itself; recompute what depends on other containers."},
    {"order-independent", "The container at index 0 is instrumented, which is another injector's proxy.",
     "Order is the alphabet of configuration names: installing or renaming another one changes Pods.",
     "Choose containers by name or annotation; see to a promised place at every call."},
    {"preserves-order", "Env is sorted by name, and $(BASE) now stands in front of BASE.",
     "References stay as literal text, and init containers run in another order.",
     "Insert without touching the order of what is there; define before you use."},
    {"absent-empty-present", "With no pull secrets two are meant and one is left; with one there are three.",
     "What works on the author's Pods fails on Pods without the list, or with another's entry.",
     "Decide on the state after your own earlier operations, not on the original."},
    {"no-explicit-zeros", "The patch adds serviceAccountName \"\" because the struct has no omitempty.",
     "The next webhook takes the field for set and leaves its default out.",
     "Diff typed against typed, or drop additions of empty values."},
    {"protocol", "patchType is set although there is no patch.",
     "The v1 API takes that for a failed call: creation ends with 500 where nothing was to be done.",
     "Echo uid, apiVersion and kind; set patch and patchType together; answer 200 to anything you can read."},
    {"dry-run-equal", "Nothing is injected into a dry run.",
     "kubectl diff and server-side previews show another Pod than the one that is created.",
     "Compute the same patch and leave out the side effects alone."},
    {"update-safe", "A finalizer that was just removed is added again.",
     "Pods that existed before cannot be updated, or hang in Terminating.",
     "Register for CREATE only; on UPDATE touch nothing that is immutable and nothing of a dying object."},
    {"covers-all-containers", "Only spec.containers is walked: a native sidecar is left out.",
     "The same container works or not by the list it stands in, and startup probes fail under strict mTLS.",
     "Walk containers and restartable init containers, all kinds of probes and handlers, with ports "
     "resolved."},
    {"request-context", "A lookup uses metadata.namespace, which the object may not have.",
     "Pods of controllers are treated otherwise than Pods made by hand; look-alikes switch injection off.",
     "Use the request's namespace; expect generateName; compare names and images exactly."},
    {"text-survives", "An annotation is pasted into a JSON template, and its quote ends the string.",
     "One user's value makes creation fail, or writes a patch of the user's choice.",
     "Encode values with a JSON library."},
    {"numbers-survive", "9007199254740993 comes back as 9007199254740992.",
     "Deadlines, user ids and quantities change silently.",
     "Decode numbers as text or integers, never as doubles."},
    {"aggregate-consistent", "A list of containers was written at the first call and lacks the late sidecar.",
     "The agent serves, scrapes or waits for a set of containers that is not the Pod's.",
     "Recompute the value at every call; ask for reinvocation."},
    {"within-budget", "A call asks another service about each container, one after the other.",
     "Creation of every Pod waits; at the timeout it fails or goes on without the injection.",
     "Answer from a cache; send a patch of what changed."},
    {"answers", "The handler breaks off with an index out of range on a container without a command.",
     "With failurePolicy Fail nobody can create such a Pod; with Ignore it starts without the injection.",
     "Test with minimal Pods: no annotations, no mounts, no command, empty lists."},
    {"probe-handed-over",
     "An exec probe of the model's container is moved to the agent, which lacks the file.",
     "The Pod never becomes ready, though the model is.", "Leave exec probes where their command is."},
    {"agent-can-become-ready", "The agent gets no probe at all and a request is routed to it too early.",
     "Traffic meets a proxy that is not up, or readiness is never reported.",
     "Give the agent a probe that it can answer by itself."},
};

}  // namespace

const Explanation* explanation_of(std::string_view property) {
  for (const Explanation& explanation : kExplanations) {
    if (explanation.property == property) return &explanation;
  }
  return nullptr;
}

}  // namespace fixpoint::properties
