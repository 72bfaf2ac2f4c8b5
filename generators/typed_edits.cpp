#include "generators/typed_edits.h"

#include <string>
#include <vector>

#include "generators/boundary_values.h"
#include "harness/apiserver/types/pod_types.h"
#include "harness/document/json.h"

namespace fixpoint::generators {

namespace {

using apiserver::Field;
using apiserver::Many;
using apiserver::Shape;
using apiserver::Type;
using document::Kind;
using document::Member;
using document::Value;
using runner::Choices;

/// Objects below this depth are left empty.
constexpr int kDepthMax = 4;

class Editor {
 public:
  Editor(Choices& choices, const EditOptions& options) : c_(choices), options_(options) {}

  void edit(Value& object, const Type& type) {
    collect_names(object);
    // A third of the edits changes existing members, which interact with others.
    if (c_.below(3) == 0) return disturb(object);
    root_ = &type;
    set_somewhere(object, type);
  }

  Value any(const Field& field, int depth) {
    if (c_.one_in(options_.is_careless ? 8 : 40)) return options_.is_careless ? wrong_value(c_) : Value();
    if (field.many == Many::one) return one(field, depth);
    Value many = field.many == Many::list ? Value::empty_list() : Value::empty_object();
    for (auto left = c_.one_in(8) ? 0 : 1 + c_.below(3); left > 0; --left) {
      if (field.many == Many::list) {
        many.push_back(!many.empty() && c_.one_in(6) ? many.at(0) : one(field, depth));
      } else {
        many.set(boundary_key(c_, field.name.text, names_), one(field, depth));
      }
    }
    return many;
  }

 private:
  void collect_names(const Value& value) {
    for (const Value& element : value.elements()) collect_names(element);
    for (const Member& member : value.members()) {
      if (member.key.text() == "name" && member.value.is_string() && names_.size() < 64) {
        names_.emplace_back(member.value.text());
      }
      collect_names(member.value);
    }
  }

  Value text(std::string_view member) {
    std::string drawn = boundary_text(c_, member, names_);
    if (!options_.is_careless || drawn.empty() || !c_.one_in(12)) return drawn;
    const auto first = static_cast<unsigned char>(drawn[0]);
    if (first < 0x20 || first > 0x7E) return drawn;
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string spelling = "\"\\u00";
    (spelling += kDigits[first >> 4]) += kDigits[first & 15];
    std::string rest;
    document::append_json_string(rest, std::string_view(drawn).substr(1));
    const auto read = document::read_json(spelling + rest.substr(1), {}, document::Strictness::foreign);
    return read.ok() ? *read : Value(drawn);
  }

  Value one(const Field& field, int depth) {
    switch (field.shape) {
      case Shape::text:
        return text(field.name.text);
      case Shape::boolean:
        return c_.coin();
      case Shape::int32:
      case Shape::int64:
        return boundary_number(c_, field.shape == Shape::int64);
      case Shape::quantity:
        return boundary_quantity(c_, options_.is_careless);
      case Shape::time:
        return boundary_time(c_, options_.is_careless);
      case Shape::int_or_text:
        return c_.coin() ? boundary_number(c_, false) : text("port");
      case Shape::raw:
        return {{"f:a", Value::empty_object()}};
      case Shape::object:
        return depth > 0 ? object(*field.type, depth) : Value::empty_object();
    }
    return {};
  }

  /// Draws an object: most required members are set, and up to two others.
  Value object(const Type& type, int depth) {
    Value made = Value::empty_object();
    for (const Field& field : type.fields) {
      if (!field.known_in(options_.minor) || !field.is_always || field.many != Many::one) continue;
      if (field.shape != Shape::object && !c_.one_in(8)) made.set(field.name, one(field, depth - 1));
    }
    for (auto left = c_.below(3); left > 0; --left) {
      const Field& field = c_.pick(type.fields);
      if (field.known_in(options_.minor)) made.set(field.name, any(field, depth - 1));
    }
    return made;
  }

  const Field& field_of(const Type& type) {
    for (int tries = 0; tries < 8; ++tries) {
      const Field& field = c_.pick(type.fields);
      if (!field.known_in(options_.minor)) continue;
      // Nodes write the status; few rules look at it.
      if (field.name.text == "status" && !c_.one_in(8)) continue;
      if (&type == root_ && field.name.text != "spec" && c_.coin()) continue;
      return field;
    }
    return type.fields[0];
  }

  /// Follows the table down through existing or new members, and sets the last field.
  void set_somewhere(Value& at, const Type& type) {
    if (!at.is_object()) at = Value::empty_object();
    const Field& field = field_of(type);
    if (options_.is_careless && c_.one_in(24)) return misname(at, field);
    if (field.shape != Shape::object || c_.one_in(6)) return at.set(field.name, any(field, kDepthMax));
    if (field.many == Many::one) return set_somewhere(at.edit(field.name), *field.type);
    Value list = at[field.name];
    if (!list.is_array()) list = Value::empty_list();
    if (list.empty() || c_.one_in(4)) list.push_back(object(*field.type, kDepthMax));
    set_somewhere(list.edit(c_.below(list.size())), *field.type);
    at.set(field.name, std::move(list));
  }

  /// Adds a member whose name differs from the field's only in its case and perhaps its plural.
  void misname(Value& at, const Field& field) {
    std::string name(field.name.text);
    name[0] = static_cast<char>(name[0] ^ 0x20);
    if (c_.coin()) name += "s";
    at.edit_members().push_back({name, any(field, 1)});
  }

  void disturb(Value& at) {
    if (at.empty()) return;
    if (!c_.one_in(6)) {
      const auto index = c_.below(at.size());
      Value& child = at.is_array() ? at.edit(index) : at.edit_members()[index].value;
      if (!child.empty()) return disturb(child);
    }
    at.is_array() ? disturb_list(at) : disturb_object(at);
  }

  void disturb_list(Value& at) {
    auto& elements = at.edit_elements();
    const auto index = c_.below(elements.size());
    const auto place = elements.begin() + static_cast<std::ptrdiff_t>(index);
    switch (c_.below(options_.is_careless ? 5 : 4)) {
      case 0:
        elements.erase(place);
        return;
      case 1:
        elements.push_back(Value(elements[index]));
        return;
      case 2:
        std::swap(elements[index], elements[c_.below(elements.size())]);
        return;
      case 3:
        elements.clear();
        return;
      default:
        elements[index] = wrong_value(c_);
        return;
    }
  }

  void disturb_object(Value& at) {
    auto& members = at.edit_members();
    const auto index = c_.below(members.size());
    const auto place = members.begin() + static_cast<std::ptrdiff_t>(index);
    switch (c_.below(options_.is_careless ? 6 : 3)) {
      case 0:
        members.erase(place);
        return;
      case 1:
        members[index].value = members[c_.one_in(4) ? c_.below(members.size()) : index].value.is_string()
                                   ? text(members[index].key.text())
                                   : Value();
        return;
      case 2:
        if (members[index].value.is_array()) members[index].value = Value::empty_list();
        if (members[index].value.is_object()) members[index].value = Value::empty_object();
        return;
      case 3:
        members.push_back(Member(members[index]));
        return;
      case 4:
        members.push_back({members[index].key, wrong_value(c_)});
        return;
      default:
        members[index].value = wrong_value(c_);
        return;
    }
  }

  Choices& c_;
  const EditOptions& options_;
  const Type* root_ = nullptr;
  std::vector<std::string> names_;
};

}  // namespace

void edit_pod(Value& pod, Choices& choices, const EditOptions& options) {
  Editor(choices, options).edit(pod, apiserver::kPod);
}

void edit_object(Value& object, const Type& type, Choices& choices, const EditOptions& options) {
  Editor(choices, options).edit(object, type);
}

Value typed_value(const Field& field, Choices& choices, const EditOptions& options) {
  return Editor(choices, options).any(field, kDepthMax);
}

}  // namespace fixpoint::generators
