#include "harness/apiserver/validation/validated_parts.h"

#include <algorithm>

namespace fixpoint::apiserver::validation {

namespace {

/// The members of the spec, beside the volumes, that the checks of a container depend on.
constexpr document::Name kSettings[] = {
    "os",      "hostUsers",      "hostNetwork",   "hostPID",
    "hostIPC", "resourceClaims", "restartPolicy", "terminationGracePeriodSeconds"};

/// Returns true if the list contains the same node; `place` is its likely index.
bool has_same(const document::Value& list, std::size_t place, const document::Value& element) {
  if (list.at(place).same(element)) return true;
  const auto elements = list.elements();
  return std::any_of(elements.begin(), elements.end(),
                     [&](const document::Value& one) { return one.same(element); });
}

}  // namespace

ValidatedParts::ValidatedParts(const Value& passed, const Value& pod, bool has_same_options) {
  if (!has_same_options) return;
  is_known_ = true;
  pod_ = passed;
  spec_ = passed["spec"];
  const Value& spec = pod["spec"];
  has_same_settings_ = std::all_of(std::begin(kSettings), std::end(kSettings),
                                   [&](const Name& name) { return spec_[name] == spec[name]; });
  has_same_name_ = metadata()["name"] == pod["metadata"]["name"];
}

bool ValidatedParts::has_container(const Name& list, std::size_t place, const Value& container) const {
  return has_same_settings_ && has_same(spec_[list], place, container);
}

bool ValidatedParts::has_volume(std::size_t place, const Value& volume) const {
  return has_same_name_ && has_same(spec_["volumes"], place, volume);
}

}  // namespace fixpoint::apiserver::validation
