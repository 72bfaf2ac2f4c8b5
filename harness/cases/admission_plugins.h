#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "harness/cases/case.h"
#include "harness/document/fields.h"

namespace fixpoint::cases {

/// All plugins that a Case can switch on, in the API server's order
/// (pkg/kubeapiserver/options/plugins.go AllOrderedPlugins).
inline constexpr std::array<std::string_view, 10> kSimulatedPlugins{
    "LimitRanger",  "ServiceAccount",           "AlwaysPullImages",         "PodNodeSelector",
    "Priority",     "DefaultTolerationSeconds", "PodTolerationRestriction", "ExtendedResourceToleration",
    "RuntimeClass", "PodTopologyLabels"};

/// Reads `cluster.admissionPlugins`: names, or objects {name, settings} of those plugins that take any
/// (docs/formats.md#case). A plugin that the server has and the simulator does not is an error that says so.
void read_admission_plugins(document::Fields& fields, Cluster& cluster, std::optional<Error>& problem);

/// The member as it is written: names in the server's order, objects where there are settings.
Value write_admission_plugins(const Cluster& cluster);

}  // namespace fixpoint::cases
