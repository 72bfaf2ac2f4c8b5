#include "harness/api/append_model.h"

#include "harness/api/object_handler.h"
#include "harness/document/json.h"

namespace fixpoint {

using document::Value;

std::string append_own(const std::string& pod, bool is_guarded) {
  Value changed = document::read_json(pod).value();
  if (!changed["spec"]["containers"].is_array()) return pod;
  for (const char* list : {"containers", "initContainers", "ephemeralContainers"}) {
    for (const Value& container : changed["spec"][list].elements())
      if (is_guarded && container["name"].text() == "own") return pod;
  }
  changed.edit("spec").edit("containers").push_back({{"name", "own"}, {"image", "own:1"}});
  return document::write_json(changed);
}

const Webhook& unguarded() {
  static const Webhook webhook(on_object([](const std::string& pod) { return append_own(pod, false); }));
  return webhook;
}

const Webhook& guarded() {
  static const Webhook webhook(on_object([](const std::string& pod) { return append_own(pod, true); }));
  return webhook;
}

}  // namespace fixpoint
