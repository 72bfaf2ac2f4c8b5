#include "harness/apiserver/custom/correlation.h"

namespace fixpoint::apiserver::custom {

using document::Member;
using document::Name;
using document::Value;

Value key_of_element(const Value& element, const Value& keys) {
  Value key = Value::empty_object();
  for (const Value& name : keys.elements()) {
    const Value* member = element.find(Name(name.text()));
    if (member != nullptr) key.set(name.text(), *member);
  }
  return key;
}

const Value& schema_of_member(const Value& schema, const Name& member) {
  const Value& specified = schema["properties"][member];
  return specified.is_null() ? schema["additionalProperties"] : specified;
}

std::optional<Correlation> Correlation::member(std::string_view name) const {
  const Value* now = now_->find(Name(name));
  const Value* old = old_->find(Name(name));
  const Value& schema = schema_of_member(*schema_, Name(name));
  if (now == nullptr || old == nullptr || !schema.is_object()) return std::nullopt;
  return Correlation(*now, *old, schema);
}

std::optional<Correlation> Correlation::element(std::size_t index) const {
  const Value& keys = (*schema_)["x-kubernetes-list-map-keys"];
  if ((*schema_)["x-kubernetes-list-type"].text() != "map" || !now_->is_array()) return std::nullopt;
  const Value key = key_of_element(now_->at(index), keys);
  for (const Value& old : old_->elements())
    if (key_of_element(old, keys) == key) return Correlation(now_->at(index), old, (*schema_)["items"]);
  return std::nullopt;
}

bool Correlation::is_unchanged() const {
  if (now_->is_array() != old_->is_array() || now_->is_object() != old_->is_object()) return false;
  if (now_->size() != old_->size() && (now_->is_array() || now_->is_object())) return false;
  if (now_->is_array()) {
    const bool is_map = (*schema_)["x-kubernetes-list-type"].text() == "map";
    for (std::size_t i = 0; i < now_->size(); ++i) {
      const auto one = element(i);
      if (one ? !one->is_unchanged() : is_map || !(now_->at(i) == old_->at(i))) return false;
    }
    return true;
  }
  if (!now_->is_object()) return *now_ == *old_;
  for (const Member& one : now_->members()) {
    const auto part = member(one.key.text());
    if (!part || !part->is_unchanged()) return false;
  }
  return true;
}

}  // namespace fixpoint::apiserver::custom
