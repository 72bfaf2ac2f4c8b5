#include "harness/differential/server_steps_model.h"

#include <utility>

#include "harness/apiserver/admission/field_tracking.h"
#include "harness/apiserver/admission/owner_references.h"
#include "harness/apiserver/decoding/nanoseconds.h"
#include "harness/apiserver/decoding/patch_library.h"
#include "harness/apiserver/policies/apply_configuration.h"
#include "harness/apiserver/registry/registry.h"
#include "harness/apiserver/registry/strategies.h"
#include "harness/document/json.h"
#include "harness/oracle/oracle_request.h"

namespace fixpoint::apiserver {

namespace {

using document::Value;
using oracle::Json;
using oracle::PatchRefused;

constexpr const char* kUnreadableEntries =
    ".metadata.managedFields was in an invalid state after admission; this could be caused by an outdated "
    "mutating admission controller; please fix your requests: ";

Value read_patch(const std::string& bytes) {
  auto patch = document::read_json(bytes, {}, document::Strictness::foreign);
  if (!patch) throw PatchRefused(PatchRefused::Kind::syntax, patch.error().message);
  if (const auto problem = document::decoding_problem(*patch))
    throw PatchRefused(PatchRefused::Kind::syntax, problem->message);
  return *std::move(patch);
}

PatchRefused refused(const document::PatchProblem& problem) {
  using Kind = PatchRefused::Kind;
  const bool is_panic = problem.kind == document::PatchProblem::Kind::panic;
  return {is_panic ? Kind::panic : problem.is_failed_test ? Kind::test : Kind::apply, problem.message};
}

template <class T>
T decoded_or_throw(document::Result<T> result) {
  if (!result) throw oracle::Undecodable(result.error().message);
  return *std::move(result);
}

/// The server of one request.
class Server {
 public:
  explicit Server(const cases::Case& value)
      : value_(value),
        kind_(cases::kind_of(value.request, value.cluster)),
        strategy_(strategy_of(value.request, kind_)),
        minor_(cases::minor_of(value.cluster)) {}

  oracle::Received receive() const {
    cases::Request request = value_.request;
    request.object = read_anew(oracle_json(request.object));
    request.old_object = read_anew(oracle_json(request.old_object));
    const Received received = decoded_or_throw(apiserver::receive(request, value_.cluster, minor_));
    refuse(received.status);
    Value object = received.object;
    request.old_object = received.old_object;
    oracle::Received all{.object = {{}, nanoseconds_of(request.object)},
                         .old_object = oracle_json(received.old_object)};
    if (auto warning = remove_repeated_owners(object, false)) all.warnings.push_back(*std::move(warning));
    if (request.managed_fields) {
      const bool changes =
          !request.is_update() || takes_fields(request, strategy_, object, request.old_object, minor_);
      Value entries = tracked_fields(request, object, changes);
      if (changes && !entries.is_null()) all.object.fractions += "tracked just now";
      object.edit("metadata").remove("managedFields");
      if (!entries.is_null()) object.edit("metadata").set("managedFields", std::move(entries));
    }
    all.object.document = oracle_json(object);
    return all;
  }

  oracle::Finished finish(const Json& left, const oracle::Received& received) const {
    Value object = canonical(left);
    oracle::Finished finished;
    const std::string problem = managed_fields_problem(object["metadata"]["managedFields"]);
    if (!problem.empty()) {
      const Json& entries = oracle::in(received.object.document, {"metadata", "managedFields"});
      object.edit("metadata").set("managedFields", read_anew(entries));
      finished.warnings.push_back(kUnreadableEntries + problem);
    }
    if (auto warning = remove_repeated_owners(object, true)) finished.warnings.push_back(*warning);
    if (value_.request.managed_fields) object.edit("metadata").remove("managedFields");
    finished.object = oracle_json(object);
    return finished;
  }

  Json run_plugins(const Json& json, const Json& old_object, int pass) const {
    cases::Request request = value_.request;
    request.old_object = old_object.is_null() ? Value() : canonical(old_object);
    Value object = canonical(json);
    refuse(strategy_.run_plugins(request, value_.cluster, object, pass));
    return oracle_json(object);
  }

  Json apply_patch(const Json& json, const std::string& bytes) const {
    const document::Patched patched =
        document::apply_patch(canonical(json), read_patch(bytes), {}, patch_library(minor_));
    if (!patched.ok()) throw refused(*patched.problem);
    return oracle_json(patched.document);
  }

  Json merge(const Json& json, const Json& configuration) const {
    const policies::Place root = policies::object_place(*strategy_.type);
    auto merged = policies::merge_configuration(canonical(json), read_anew(configuration), root, minor_);
    if (!merged) throw oracle::MergeRefused(merged.error().message);
    const std::string problem = policies::convert_numbers(root, *merged, minor_);
    if (!problem.empty()) throw oracle::MergeRefused(problem);
    return oracle_json(*merged);
  }

  oracle::Object decode(const Json& json) const {
    const Value changed = read_anew(json);
    return {oracle_json(decoded_or_throw(strategy_.decode(changed, kind_, minor_))), nanoseconds_of(changed)};
  }

  bool has_unknown_members(const Json& json) const {
    return !strategy_.strict_problems(read_anew(json), minor_).empty();
  }

  Json with_defaults(const Json& json) const {
    return oracle_json(strategy_.with_defaults(canonical(json), kind_, minor_));
  }

  Json convert(const Json& json) const {
    return oracle_json(decoded_or_throw(strategy_.convert(canonical(json), kind_)));
  }

  bool is_same(const Json& before, const Json& after) const {
    return strategy_.is_same(canonical(before), canonical(after));
  }

 private:
  /// Members in the order of the type, strings in Go's spelling: as the server writes a decoded object.
  Value canonical(const Json& json) const {
    const Value read = document::without_spellings(read_anew(json));
    const auto decoded = strategy_.decode(read, kind_, minor_);
    return decoded ? *decoded : read;
  }

  static void refuse(const std::optional<cases::Status>& status) {
    if (status) throw oracle::Rejected(status->code, status->reason, status->message);
  }

  const cases::Case& value_;
  cases::Kind kind_;
  const Strategy& strategy_;
  int minor_;
};

}  // namespace

oracle::Json oracle_json(const Value& value) { return oracle::read(document::write_json(value)); }

Value read_anew(const Json& json) {
  return *document::read_json(oracle::write(json), {}, document::Strictness::foreign);
}

oracle::Steps steps_of(const cases::Case& value) {
  const Server server(value);
  const auto step = [&](auto function) {
    return [server, function](auto&&... arguments) { return (server.*function)(arguments...); };
  };
  return {
      .receive = step(&Server::receive),
      .finish = step(&Server::finish),
      .run_plugins = step(&Server::run_plugins),
      .has_operations = [](const std::string& patch) { return !document::is_empty_patch(read_patch(patch)); },
      .apply_patch = step(&Server::apply_patch),
      .merge = step(&Server::merge),
      .decode = step(&Server::decode),
      .has_unknown_members = step(&Server::has_unknown_members),
      .with_defaults = step(&Server::with_defaults),
      .convert = step(&Server::convert),
      .is_same = step(&Server::is_same)};
}

}  // namespace fixpoint::apiserver
