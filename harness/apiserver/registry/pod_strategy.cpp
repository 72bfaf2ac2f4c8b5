#include "harness/apiserver/decoding/internal_type.h"
#include "harness/apiserver/decoding/objects.h"
#include "harness/apiserver/decoding/other_kinds.h"
#include "harness/apiserver/decoding/server_status.h"
#include "harness/apiserver/decoding/strict_fields.h"
#include "harness/apiserver/defaulting/default_pod.h"
#include "harness/apiserver/plugins/plugins.h"
#include "harness/apiserver/registry/registry.h"
#include "harness/apiserver/registry/strategies.h"
#include "harness/apiserver/types/pod_types.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver {

namespace {

using cases::Kind;
using document::Error;
using document::Result;
using document::Value;

Result<Value> decode_patched_pod(const Value& patched, const Kind&,
                                 int minor) { return decode_object(patched, minor); }

std::vector<std::string> strict(const Value& patched, int minor) {
  return is_pod(patched) ? strict_problems(kPod, patched, minor)
                         : strict_problems_of_other_kind(patched, minor);
}

Value defaulted(Value object, const Kind&, int minor) {
  return is_pod(object) ? default_pod(object, minor) : object;
}

/// Conversion to the internal type (docs/simulator.md#4-4).
Result<Value> convert_pod(const Value& object, const Kind&) {
  if (is_pod(object)) return through_internal_type(object);
  const std::string_view version = object["apiVersion"].text();
  return Error{document::Text("converting ({}.{}) to (core.Pod): unknown conversion")
                   .with({version.substr(version.rfind('/') + 1), object["kind"].text()})};
}

Value read_pod_back(const Value& stored, const Kind&, int minor) { return default_pod(stored, minor); }

}  // namespace

const Strategy kPodStrategy{.type = &kPod,
                            .has_nanoseconds = true,
                            .receive = receive_pod,
                            .run_plugins = run_plugins,
                            .decode = decode_patched_pod,
                            .strict_problems = strict,
                            .with_defaults = defaulted,
                            .is_same = is_same_object,
                            .convert = convert_pod,
                            .store = store_pod,
                            .read_back = read_pod_back};

}  // namespace fixpoint::apiserver
