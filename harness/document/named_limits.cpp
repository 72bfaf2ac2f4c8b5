#include "harness/document/named_limits.h"

#include <array>
#include <charconv>
#include <limits>

#include "harness/document/fields.h"

namespace fixpoint::document {

namespace {

using document::Error;
using document::Result;

constexpr std::array<NamedLimit, 33> kLimits{{
    {"depth_max", "nesting of one document", &Limits::depth_max},
    {"document_bytes_max", "one document, as text", &Limits::document_bytes_max},
    {"file_bytes_max", "one file of documents", &Limits::file_bytes_max},
    {"aliases_max", "YAML aliases, after expansion", &Limits::aliases_max},
    {"values_max", "values of one document", &Limits::values_max},
    {"copy_bytes_max", "what the copies of a patch add up to", &Limits::copy_bytes_max},
    {"operations_max", "operations of a patch", &Limits::operations_max},
    {"patch_steps_max", "members looked through and elements moved by a patch", &Limits::patch_steps_max},
    {"patched_depth_max", "nesting after a patch", &Limits::patched_depth_max},
    {"webhooks_max", "webhooks of one Case", &Limits::webhooks_max},
    {"repeats_max", "calls made to tell settling from growing", &Limits::repeats_max},
    {"orders_max", "orders of a chain that are tried beyond all of four", &Limits::orders_max},
    {"warning_runes_max", "warnings of one request, before each is cut", &Limits::warning_runes_max},
    {"answer_bytes_max", "one answer of a webhook, after decompression", &Limits::answer_bytes_max},
    {"call_milliseconds_max", "one call, whatever its webhook asks for", &Limits::call_milliseconds_max},
    {"retries_max", "tries after a Retry-After", &Limits::retries_max},
    {"process_memory_bytes_max", "data of one process behind exec:, 0 for no bound",
     &Limits::process_memory_bytes_max},
    {"processes_max", "processes of one command at a time", &Limits::processes_max},
    {"connections_max", "connections to a server of fixpoint at a time", &Limits::connections_max},
    {"header_bytes_max", "line and headers of one request to a server of fixpoint",
     &Limits::header_bytes_max},
    {"bodies_bytes_max", "bodies of all requests that a server of fixpoint holds at a time",
     &Limits::bodies_bytes_max},
    {"request_milliseconds_max", "one request to a server of fixpoint, from its first byte to its last",
     &Limits::request_milliseconds_max},
    {"idle_milliseconds_max", "a connection to a server of fixpoint between two requests",
     &Limits::idle_milliseconds_max},
    {"answers_max", "requests that a server of fixpoint answers at a time", &Limits::answers_max},
    {"cluster_settle_milliseconds", "a client's time to take in a change of the cluster that it watches",
     &Limits::cluster_settle_milliseconds},
    {"cluster_still_milliseconds", "the same before a finding is confirmed",
     &Limits::cluster_still_milliseconds},
    {"cluster_timeout_milliseconds", "a read of the cluster whose fault is a timeout",
     &Limits::cluster_timeout_milliseconds},
    {"cluster_watches_max", "watches of the cluster at a time", &Limits::cluster_watches_max},
    {"cluster_unsent_bytes_max", "events of a watch of the cluster that its client has not read",
     &Limits::cluster_unsent_bytes_max},
    {"cluster_log_max", "events kept for watches of the cluster from an older version",
     &Limits::cluster_log_max},
    {"cluster_accesses_max", "reads of the cluster that are kept, and writes", &Limits::cluster_accesses_max},
    {"cluster_leases_max", "leases that a client's cluster remembers", &Limits::cluster_leases_max},
    {"shrink_tries_max", "Cases tried to shrink one finding", &Limits::shrink_tries_max},
}};

template <class T>
std::optional<Error> set(T& field, const std::string& text) {
  T value{};
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (bad != std::errc() || end != text.data() + text.size() || value < T{})
    return Error{"expected a whole number up to " + std::to_string(std::numeric_limits<T>::max()) +
                 ", found \"" + text + "\""};
  field = value;
  return std::nullopt;
}

std::optional<Error> apply(Limits& limits, const std::string& setting) {
  const auto at = setting.find('=');
  if (at == std::string::npos) return Error{"expected NAME=VALUE"};
  const std::string name = setting.substr(0, at), text = setting.substr(at + 1);
  std::vector<std::string_view> names;
  for (const NamedLimit& limit : kLimits) {
    names.push_back(limit.name);
    if (limit.name == name)
      return std::visit([&](auto field) { return set(limits.*field, text); }, limit.field);
  }
  return Error{"there is no limit \"" + name + "\"" + document::did_you_mean_suffix(name, names)};
}

}  // namespace

std::span<const NamedLimit> named_limits() { return kLimits; }

std::string value_of(const Limits& limits, const NamedLimit& limit) {
  return std::visit([&](auto field) { return std::to_string(limits.*field); }, limit.field);
}

Result<Limits> limits_of(const std::vector<std::string>& settings) {
  Limits limits;
  for (const std::string& setting : settings) {
    if (auto problem = apply(limits, setting)) return std::move(*problem).within("--limit " + setting);
  }
  return limits;
}

}  // namespace fixpoint::document
