#include "harness/apiserver/custom/unique_elements.h"

#include <map>
#include <string>

#include "harness/apiserver/custom/correlation.h"

namespace fixpoint::apiserver::custom {

namespace {

using document::Member;
using document::Value;
using validation::Errors;
using validation::Path;

class Finder {
 public:
  explicit Finder(Errors& errors) : errors_(errors) {}

  void check(const Value& value, const Value& schema, const Path& path) {
    if (value.is_array()) {
      check_list(value, schema, path);
      for (std::size_t i = 0; i < value.size(); ++i) check(value.at(i), schema["items"], path.at(i));
    }
    if (!value.is_object()) return;
    for (const Member& member : value.members()) {
      const bool is_specified = schema["properties"].find(member.key.name()) != nullptr;
      const Value& below = schema_of_member(schema, member.key.name());
      if (below.is_object())
        check(member.value, below,
              is_specified ? path.child(member.key.text()) : path.key(member.key.text()));
    }
  }

 private:
  void check_list(const Value& value, const Value& schema, const Path& path) {
    const std::string_view list_type = schema["x-kubernetes-list-type"].text();
    if (list_type != "set" && list_type != "map") return;
    std::map<std::string, int> seen;
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (list_type == "map" && !value.at(i).is_object()) {
        errors_.invalid(path.at(i), value.at(i),
                        std::string("must be an object for an array of list-type map"));
        continue;
      }
      const Value key = list_type == "set"
                            ? value.at(i)
                            : key_of_element(value.at(i), schema["x-kubernetes-list-map-keys"]);
      if (++seen[document::go_json(key)] == 2) errors_.duplicate_value(path.at(i), key);
    }
  }

  Errors& errors_;
};

}  // namespace

void check_unique_elements(const Value& object, const Value& schema, Errors& errors) {
  for (const Member& property : schema["properties"].members()) {
    if (const Value* value = object.find(property.key.name()))
      Finder(errors).check(*value, property.value, Path(property.key.text()));
  }
}

}  // namespace fixpoint::apiserver::custom
