#include <array>

#include "harness/properties/judge.h"
#include "harness/properties/properties.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

using apiserver::Hop;

class RequestQuestion {
 public:
  RequestQuestion(const Examination& examination, const FirstCall& call, std::vector<Violation>& violations)
      : examination_(examination), call_(call), violations_(violations) {}

  void ask() {
    const Hop reference = call_afresh(examination_, call_.webhook, call_.event.before);
    if (!went_well(reference)) return;
    const Value& pod = call_.event.before;
    if (!is_without_both(reference)) {
      compare(reference, elsewhere(pod), "metadata.namespace", "the object has no namespace of its own");
      compare(reference, nameless(pod), "metadata.name", "the object has only a generateName",
              "name-volatile");
    }
    ask_look_alikes(reference);
  }

 private:
  static Value elsewhere(Value pod) {
    pod.edit("metadata").remove("namespace");
    return pod;
  }
  static Value nameless(Value pod) {
    pod.edit("metadata").remove("name");
    pod.edit("metadata").set("generateName", "fixpoint-");
    return pod;
  }
  /// Whether the result is the same without namespace and name at once: then it depends on neither.
  bool is_without_both(const Hop& reference) const {
    const Hop hop = call_afresh(examination_, call_.webhook, nameless(elsewhere(call_.event.before)));
    return went_well(hop) && hop.after == nameless(elsewhere(reference.after));
  }

  void compare(const Hop& reference, const Value& variant, std::string_view left_out, const std::string& when,
               const std::string& verdict = {}) {
    const Hop hop = call_afresh(examination_, call_.webhook, variant);
    if (!went_well(hop)) return fail(when);
    auto [wanted, leaves] = differing(reference.after, hop.after);
    for (auto* list : {&wanted, &leaves}) {
      std::erase_if(*list, [&](const Leaf& leaf) {
        return leaf.path == left_out || leaf.path == "metadata.generateName";
      });
    }
    const std::string path = first_difference(wanted, leaves);
    if (path.empty() || !is_repeatable(examination_, call_.webhook, call_.event.before, reference)) return;
    const Hop& shown = find(wanted, path) != nullptr ? reference : hop;
    Violation violation = violation_at(call_.webhook, path, shown.after, shown);
    violation.severity = Severity::warning;
    violation.verdict = verdict;
    violation.because = "when " + when + ", the result has another " + violation.path;
    violations_.push_back(std::move(violation));
  }

  void fail(const std::string& when) {
    Violation violation{.webhook = call_.webhook.key, .path = "allowed", .shape = when};
    violation.because = "a call fails when " + when;
    violations_.push_back(std::move(violation));
  }

  static bool has_named(const Value& list, std::string_view name) {
    const auto elements = list.elements();
    return std::any_of(elements.begin(), elements.end(),
                       [&](const Value& element) { return element["name"].text() == name; });
  }

  /// Whose name or image is nearly that of an injected container is another container all the same; so are
  /// volumes.
  void ask_look_alikes(const Hop& reference) {
    struct Added {
      const char* list;
      std::string name;
    };
    std::vector<Added> wanted;
    Value pod = call_.event.before;
    for (const char* list : {"containers", "initContainers", "volumes"}) {
      const document::Name name(list);
      for (const Value& element : reference.after["spec"][name].elements()) {
        if (has_named(call_.event.before["spec"][name], element["name"].text())) continue;
        wanted.push_back({list, std::string(element["name"].text())});
        add_look_alike(pod, list, element);
      }
    }
    if (wanted.empty() || !is_called(examination_, call_.webhook, pod)) return;
    const Hop hop = call_afresh(examination_, call_.webhook, pod);
    if (!went_well(hop)) return fail("a user's element is named nearly as an injected one");
    for (const Added& one : wanted) {
      const document::Name list(one.list);
      if (has_named(hop.after["spec"][list], one.name)) continue;
      // Under another name it is there all the same.
      const auto count = [&](const Value& of) { return of["spec"][list].size(); };
      if (count(hop.after) + count(call_.event.before) >= count(reference.after) + count(pod)) continue;
      Violation violation{.severity = Severity::warning, .webhook = call_.webhook.key};
      violation.path = std::string("spec.").append(one.list);
      violation.value = one.name;
      violation.shape = violation.path + "[name=" + one.name + "]:look-alike";
      violation.because = one.name + " is not injected when a user's element has nearly its name or image";
      return violations_.push_back(std::move(violation));
    }
  }

  static void add_look_alike(Value& pod, const std::string& list, const Value& element) {
    const std::string name = "my-" + std::string(element["name"].text());
    if (list == "volumes") {
      pod.edit("spec").edit("volumes").push_back({{"name", name}, {"emptyDir", Value::empty_object()}});
      return;
    }
    Value container = plain_container(name);
    const std::string_view image = element["image"].text();
    const std::string_view base = image.substr(0, image.find_first_of(":@", image.rfind('/') + 1));
    container.set("image", "fixpoint.example/my-" + std::string(base) + "-tools:1");
    pod.edit("spec").edit(document::Name(list)).push_back(std::move(container));
  }

  const Examination& examination_;
  const FirstCall& call_;
  std::vector<Violation>& violations_;
};

}  // namespace

Judgement request_context(const Examination& examination) {
  if (first_calls(examination).empty()) return not_reached("no webhook was called");
  std::vector<Violation> violations;
  for (const FirstCall& call : effective_calls(examination))
    RequestQuestion(examination, call, violations).ask();
  return judged(std::move(violations));
}

}  // namespace fixpoint::properties
