#include "harness/apiserver/types/walk.h"

#include "harness/apiserver/types/find_field.h"
#include "harness/apiserver/types/pod_types.h"

namespace fixpoint::apiserver {

const Field* field_at(std::string_view path, int minor) {
  const Type* type = &kPod;
  while (type != nullptr) {
    const auto dot = path.find('.');
    std::string_view step = path.substr(0, dot);
    const bool is_inside = step.ends_with("[]");
    if (is_inside) step.remove_suffix(2);
    const Field* field = find_field(*type, document::Name(step), minor);
    if (field == nullptr || (is_inside && field->many != Many::list)) return nullptr;
    if (dot == std::string_view::npos) return field;
    if (field->many == Many::list && !is_inside) return nullptr;
    path.remove_prefix(dot + 1);
    type = field->type;
  }
  return nullptr;
}

}  // namespace fixpoint::apiserver
