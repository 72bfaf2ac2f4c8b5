#include "harness/apiserver/validation/checks.h"

namespace fixpoint::apiserver::validation {

void check_file_mode(const Value& mode, const Path& path, Errors& errors) {
  if (mode.is_null()) return;
  const std::int64_t bits = mode.integer().value_or(-1);
  if (bits < 0 || bits > 0777)
    errors.invalid(path, mode, Text("must be a number between 0 and 0777 (octal), both inclusive"));
}

void check_key_to_path(const Value& item, const Path& path, Errors& errors) {
  const std::string_view target = item["path"].text();
  if (item["key"].text().empty()) errors.required(path.child("key"));
  if (target.empty()) errors.required(path.child("path"));
  errors.invalid(path.child("path"), target, check_non_reserved_path(target));
  check_file_mode(item["mode"], path.child("mode"), errors);
}

void check_downward_file(const Value& file, const Path& path, Errors& errors) {
  const std::string_view target = file["path"].text();
  if (target.empty()) errors.required(path.child("path"));
  errors.invalid(path.child("path"), target, check_non_reserved_path(target));
  const Value& field = file["fieldRef"];
  const Value& resource = file["resourceFieldRef"];
  if (!field.is_null()) {
    check_field_ref(field, true, path.child("fieldRef"), errors);
    if (!resource.is_null())
      errors.invalid(path, "resource",
                     Text("fieldRef and resourceFieldRef can not be specified simultaneously"));
  } else if (!resource.is_null()) {
    check_resource_field_ref(resource, true, path.child("resourceFieldRef"), errors);
  } else {
    errors.required(path, Text("one of fieldRef and resourceFieldRef is required"));
  }
  check_file_mode(file["mode"], path.child("mode"), errors);
}

}  // namespace fixpoint::apiserver::validation
