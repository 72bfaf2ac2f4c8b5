#include "harness/apiserver/cel/opaque.h"

#include <algorithm>
#include <map>

#include "harness/apiserver/cel/cel.h"
#include "harness/apiserver/cel/meter.h"

namespace fixpoint::apiserver::cel {

namespace {

const Datum* find_field(const std::vector<std::pair<std::string, Datum>>& fields, std::string_view name) {
  for (const auto& [field, value] : fields) {
    if (field == name) return &value;
  }
  return nullptr;
}

/// Members that are computed when they are first read. An evaluation is one thread's.
struct LazyBox : OpaqueBox {
  explicit LazyBox(std::function<Datum(std::string_view, bool&)> how) : compute(std::move(how)) {}
  std::string_view type_name() const override { return "kubernetes.variables"; }
  bool equals(const OpaqueBox& other) const override { return this == &other; }
  bool has_members() const override { return true; }
  Datum member(std::string_view name, bool& found) const override {
    if (const auto known = values.find(name); known != values.end()) {
      found = true;
      return known->second;
    }
    Datum value = compute(name, found);
    if (found) values.emplace(std::string(name), value);
    return value;
  }
  std::function<Datum(std::string_view, bool&)> compute;
  mutable std::map<std::string, Datum, std::less<>> values = {};
};

/// How Go names the type of a value's content in a message.
const char* go_type(const Datum& value) {
  switch (value.kind()) {
    case Kind::boolean:
      return "bool";
    case Kind::integer:
      return "int64";
    case Kind::unsigned_integer:
      return "uint64";
    case Kind::real:
      return "float64";
    case Kind::bytes:
      return "[]uint8";
    case Kind::null:
      return "structpb.NullValue";
    case Kind::list:
      return "[]ref.Val";
    case Kind::map:
      return "map[ref.Val]ref.Val";
    default:
      return "ref.Val";
  }
}

}  // namespace

Datum lazy_members(std::function<Datum(std::string_view name, bool& found)> compute) {
  return Datum::of(new LazyBox(std::move(compute)));
}

bool ObjectBox::equals(const OpaqueBox& other) const {
  const auto& fields_there = static_cast<const ObjectBox&>(other).fields;
  if (fields.size() != fields_there.size()) return false;
  for (const auto& [field, value] : fields) {
    const Datum* there = find_field(fields_there, field);
    if (there == nullptr || value.kind() != there->kind() || !equal(value, *there)) return false;
  }
  return true;
}

Datum ObjectBox::member(std::string_view field, bool& found) const {
  const Datum* value = find_field(fields, field);
  found = value != nullptr;
  return found ? *value : Datum();
}

bool PatchBox::equals(const OpaqueBox& other) const {
  const auto& there = static_cast<const PatchBox&>(other);
  return op == there.op && path == there.path && from == there.from && has_value == there.has_value &&
         (!has_value || equal(value, there.value));
}

Datum PatchBox::member(std::string_view field, bool& found) const {
  found = true;
  for (const auto& [name, text] :
       {std::pair<std::string_view, const std::string*>{"op", &op}, {"path", &path}, {"from", &from}}) {
    if (field != name) continue;
    found = !text->empty();
    return Datum::of(*text);
  }
  found = has_value;
  return value;
}

bool has_unit_equality(const OpaqueBox& value) { return value.tag() != "object" && value.tag() != "patch"; }

Datum make_message(const std::string& type, std::vector<std::pair<std::string, Datum>> fields) {
  if (type != "JSONPatch") {
    // Of a field that is set twice the last value counts.
    std::vector<std::pair<std::string, Datum>> last;
    for (auto& [field, value] : fields) {
      const auto known =
          std::find_if(last.begin(), last.end(), [&](const auto& one) { return one.first == field; });
      if (known == last.end())
        last.emplace_back(std::move(field), std::move(value));
      else
        known->second = std::move(value);
    }
    std::uint32_t depth = 0;
    for (const auto& [field, value] : last) depth = std::max(depth, value.depth() + 1);
    check_nesting(depth);
    auto* object = new ObjectBox(type, std::move(last));
    object->depth = depth;
    return Datum::of(object);
  }
  auto* patch = new PatchBox;
  Datum made = Datum::of(patch);
  for (auto& [field, value] : fields) {
    if (field == "value") {
      check_nesting(value.depth() + 1);
      patch->depth = value.depth() + 1;
      patch->has_value = true;
      patch->value = std::move(value);
      continue;
    }
    std::string* into = field == "op"     ? &patch->op
                        : field == "path" ? &patch->path
                        : field == "from" ? &patch->from
                                          : nullptr;
    if (into == nullptr) return Datum::error("unexpected JSONPatchType field: " + field);
    if (!value.is(Kind::text)) {
      return Datum::error(std::string("unexpected type ") + go_type(value) + " for JSONPatchType '" + field +
                          "' field");
    }
    *into = std::string(value.text());
  }
  return made;
}

}  // namespace fixpoint::apiserver::cel
