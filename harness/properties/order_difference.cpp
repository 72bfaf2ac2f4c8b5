#include "harness/properties/order_difference.h"

#include <algorithm>

namespace fixpoint::properties {

namespace {

/// An annotation in which LimitRanger records the containers in the order of their list.
constexpr std::string_view kLimitRangerNote = "metadata.annotations[kubernetes.io/limit-ranger]";

/// The mount that ServiceAccount adds to the containers that exist when it runs, however late a webhook adds
/// them.
constexpr std::string_view kTokenMount = "volumeMounts[/var/run/secrets/kubernetes.io/serviceaccount]";

}  // namespace

bool has_limit_range(const cases::Cluster& cluster) {
  return cluster.has_plugin("LimitRanger") &&
         std::any_of(cluster.objects.begin(), cluster.objects.end(),
                     [](const Value& object) { return object["kind"].text() == "LimitRange"; });
}

Differing order_difference(const Value& a, const Value& b, bool with_resources) {
  Differing two = differing(a, b);
  for (auto* path_values : {&two.before, &two.after}) {
    std::erase_if(*path_values, [&](const PathValue& path_value) {
      return path_value.path == kLimitRangerNote || path_value.path.find(kTokenMount) != std::string::npos ||
             (!with_resources && path_value.path.find("].resources.") != std::string::npos);
    });
  }
  leave_out_what_follows_order(two);
  return two;
}

}  // namespace fixpoint::properties
