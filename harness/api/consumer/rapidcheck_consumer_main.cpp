// Properties of a webhook, of single Pods and of a reconciler in RapidCheck.
#include <fixpoint/object_handler.h>
#include <fixpoint/rapidcheck.h>

#include <cstdio>
#include <memory>
#include <string>

namespace {

/// Labels the Pod; without the guard a label that is there is written again, with one more letter.
std::string label(const std::string& pod, bool has_guard) {
  const std::string key = R"("team":"a)", metadata = R"("metadata":{)";
  const auto at = pod.find(key);
  if (at != std::string::npos) return has_guard ? pod : std::string(pod).insert(at + key.size(), "a");
  const auto begin = pod.find(metadata);
  if (begin == std::string::npos || pod.find(R"("labels")") != std::string::npos) return pod;
  const bool is_empty = pod[begin + metadata.size()] == '}';
  return std::string(pod).insert(begin + metadata.size(),
                                 R"("labels":{"team":"a"})" + std::string(is_empty ? "" : ","));
}

const fixpoint::Webhook& webhook(bool has_guard) {
  static const fixpoint::Webhook guarded =
      fixpoint::on_object([](const std::string& pod) { return label(pod, true); });
  static const fixpoint::Webhook growing =
      fixpoint::on_object([](const std::string& pod) { return label(pod, false); });
  return has_guard ? guarded : growing;
}

bool settles(const fixpoint::Webhook& own) {
  return rc::check("settles", [&](const fixpoint::Case& c) {
    for (const fixpoint::CheckFinding& finding : fixpoint::violations(c, own)) {
      if (finding.property == "idempotent") RC_FAIL(finding.text);
    }
  });
}

bool leaves_containers_alone() {
  return rc::check("leaves containers alone", [](const fixpoint::Pod& pod) {
    const std::string before = pod.text(), after = label(before, true);
    RC_ASSERT(after.size() >= before.size());
  });
}

bool reconciles(const std::string& release) {
  const fixpoint::Reconciler reconciler(release);
  return rc::check("keeps its autoscaler", [&] {
    rc::state::check(fixpoint::Sequence(reconciler), reconciler,
                     [&](const fixpoint::Sequence&) { return fixpoint::commands_for(reconciler); });
  });
}

}  // namespace

int main() {
  const bool is_right = settles(webhook(true)) && !settles(webhook(false)) && leaves_containers_alone() &&
                        !reconciles("kserve/hpa@0.11.2");
  std::printf("%s\n", is_right ? "as expected" : "not as expected");
  return is_right ? 0 : 1;
}
