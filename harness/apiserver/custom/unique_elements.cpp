#include "harness/apiserver/custom/unique_elements.h"

#include <map>
#include <string>

#include "harness/apiserver/custom/schema_walk.h"

namespace fixpoint::apiserver::custom {

namespace {

using document::Value;
using validation::Errors;
using validation::Path;

void check_list(const Value& value, const Value& schema, const Path& path, Errors& errors) {
  const std::string_view list_type = schema["x-kubernetes-list-type"].text();
  if (list_type != "set" && list_type != "map") return;
  std::map<std::string, int> seen;
  for (std::size_t i = 0; i < value.size(); ++i)  // the first alone is reported
    if (list_type == "map" && !value.at(i).is_object() && !value.at(i).is_null())
      return errors.invalid(path.at(i), value.at(i),
                            std::string("must be an object for an array of list-type map"));
  for (std::size_t i = 0; i < value.size(); ++i) {
    const Value key = list_type == "set"
                          ? value.at(i)
                          : key_of_element(value.at(i), schema["x-kubernetes-list-map-keys"]);
    if (++seen[document::go_json(key)] == 2) errors.duplicate_value(path.at(i), key);
  }
}

}  // namespace

void check_unique_elements(const Value& object, const Value& schema, Errors& errors) {
  for_each_part_of_resource(object, schema, [&](const Value& part, const Value& below, const Path& path) {
    if (part.is_array()) check_list(part, below, path, errors);
  });
}

}  // namespace fixpoint::apiserver::custom
