#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

#include "harness/document/named.h"
#include "harness/runner/learning/subject.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::injectors::defects {

using document::Name;
using document::Value;
using webhooks::Answer;
using webhooks::Call;

inline constexpr const char* kStatus = "defects.example.io/status";

/// Returns the smallest patch that makes this change of the Pod.
Answer changed(const Call& call, const std::function<void(Value& pod)>& change);

/// Returns true if any of the three lists has the container.
bool has_container(const Value& pod, std::string_view name);
bool is_native_sidecar(const Value& container);

/// Calls `change` on all containers that run at the same time: regular ones, then native sidecars.
void for_each_container(Value& pod, const std::function<void(Value& container)>& change);
/// The same for init containers, too, that end before the others begin.
void for_all_containers(Value& pod, const std::function<void(Value& container)>& change);

Value container(std::string_view name, std::string_view image);
Value env(std::string_view name, std::string_view value);
Value empty_volume(std::string_view name);

/// Returns true if the container uses neither the name nor the path.
bool wants_mount(const Value& container, std::string_view volume, std::string_view path);
/// Mounts the volume in every container that wants it, and adds the volume if at least one did.
void mount_everywhere(Value& pod, std::string_view volume, std::string_view path);

/// Returns an `add` operation.
Value add(const std::string& path, Value value);

/// Writes the owned paths into the subject's configuration.
void owns(runner::Subject& subject, std::initializer_list<std::string_view> paths);
void promises(runner::Subject& subject, const Value& lists);
void also_on_update(runner::Subject& subject);

/// Changes nothing, for defects that need no setup.
inline void no_setup(runner::Subject&) {}

}  // namespace fixpoint::injectors::defects
