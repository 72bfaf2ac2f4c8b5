#include "generators/pod/typed.h"

#include <array>

namespace fixpoint::generators {

namespace {

using apiserver::Many;
using apiserver::Shape;

constexpr std::array kTexts{"a", "Always", "x:1", "/mnt", "main", "", "RuntimeDefault", "kserve-container",
                            "1", "a/b~c"};
constexpr std::array kNumbers{"1", "0", "8080", "1000", "-1", "65536", "9007199254740993"};
constexpr std::array kQuantities{"1", "100m", "1Gi", "0", "1e3", "0.5"};

Value some_one(const Field& field, Choices& choices) {
  switch (field.shape) {
    case Shape::text:
      return choices.pick(kTexts);
    case Shape::boolean:
      return choices.coin();
    case Shape::int32:
    case Shape::int64:
      return Value::number(choices.pick(kNumbers));
    case Shape::quantity:
      return choices.pick(kQuantities);
    case Shape::time:
      return "2026-01-01T00:00:00Z";
    case Shape::int_or_text:
      return choices.coin() ? Value(8080) : Value("http");
    case Shape::raw:
      return Value::empty_object();
    case Shape::object:
      break;
  }
  Value made = Value::empty_object();
  for (auto left = choices.below(3); left > 0 && field.type != nullptr; --left) {
    const Field& member = choices.pick(field.type->fields);
    if (member.type == nullptr) made.set(member.name, some_value(member, choices));
  }
  return made;
}

}  // namespace

Value zero_value(const Field& field) {
  if (field.many == Many::list) return Value::empty_list();
  if (field.many == Many::map) return Value::empty_object();
  switch (field.shape) {
    case Shape::text:
      return "";
    case Shape::boolean:
      return false;
    case Shape::int32:
    case Shape::int64:
      return 0;
    default:
      return {};
  }
}

Value some_value(const Field& field, Choices& choices) {
  if (field.many == Many::list) return Value::list({some_one(field, choices)});
  if (field.many == Many::map) return {{choices.pick(kTexts), some_one(field, choices)}};
  return some_one(field, choices);
}

}  // namespace fixpoint::generators
