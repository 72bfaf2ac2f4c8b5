#include "harness/conformance/created_objects.h"

#include "harness/conformance/cluster_cleanup.h"

namespace fixpoint::conformance {

using document::Error;
using document::Value;
using webhooks::RestAnswer;

std::string text_of(const RestAnswer& answer) {
  return "status " + std::to_string(answer.status) + ": " + std::string(answer.body["message"].text());
}

bool is_good(const RestAnswer& answer) { return answer.status / 100 == 2; }

static Value delete_now() {
  return {{"kind", "DeleteOptions"}, {"apiVersion", "v1"}, {"gracePeriodSeconds", 0}};
}

std::optional<Error> CreatedObjects::create(const std::string& collection, const Value& object,
                                            bool may_exist) {
  auto answer = rest_.send("POST", collection, marked(object, id_));
  if (!answer) return std::move(answer).error();
  if (may_exist && answer->status == 409) return std::nullopt;
  const std::string name(object["metadata"]["name"].text());
  if (!is_good(*answer)) return Error{text_of(*answer), "creating " + collection + "/" + name};
  paths_.push_back(collection + "/" + name);
  return std::nullopt;
}

void CreatedObjects::remove_from(std::size_t count) {
  while (paths_.size() > count) {
    static_cast<void>(rest_.send("DELETE", paths_.back(), delete_now()));
    paths_.pop_back();
  }
}

}  // namespace fixpoint::conformance
