#include "harness/campaign/checkpoint.h"

#include <charconv>
#include <utility>

#include "harness/campaign/run_folder.h"
#include "harness/campaign/steering_state.h"
#include "harness/document/document_stream.h"
#include "harness/document/fields.h"
#include "reports/events.h"

namespace fixpoint::campaign {

using document::Error;
using document::Fields;
using document::Result;
using document::Value;

namespace {

constexpr std::string_view kKind = "Checkpoint";

Value numbers(const runner::Features& features) {
  std::vector<Value> all;
  for (const std::uint64_t mark : features) all.push_back(Value::number(std::to_string(mark)));
  return all;
}

template <class T>
Value list_of(const std::vector<T>& all, Value (*write)(const T&)) {
  std::vector<Value> list;
  for (const T& one : all) list.push_back(write(one));
  return list;
}

template <class T>
void take_list(Fields& fields, const char* name, std::optional<Error>& problem, T (*read)(Fields&),
               std::vector<T>& into) {
  fields.list(name, [&](const Value& value, const std::string& pointer) {
    Fields one(value, pointer, problem);
    into.push_back(read(one));
    one.finish();
  });
}

void take_features(Fields& fields, const char* name, runner::CoverageMap& known) {
  fields.list(name, [&](const Value& value, const std::string&) {
    std::uint64_t mark = 0;
    const std::string_view text = value.text();
    const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), mark);
    if (bad != std::errc() || end != text.data() + text.size()) return fields.fail(name, "expected numbers");
    known.add({mark});
  });
}

/// Applies an event that precedes the checkpoint.
std::optional<Error> take_event(Checkpoint& checkpoint, const Value& event) {
  const std::string_view what = event["event"].text();
  if (what == "regression" && event["answer"].text() == "still failing") checkpoint.regression_fails = true;
  if (what != "finding" && what != "note") return std::nullopt;
  auto finding = cases::read_finding(event["finding"]);
  if (!finding) return std::move(finding).error().within("/finding");
  auto& summary = checkpoint.state.summary;
  (what == "finding" ? summary.findings : summary.notes).push_back(*std::move(finding));
  return std::nullopt;
}

std::optional<Error> take_events(Checkpoint& checkpoint, const std::string& path) {
  auto text = document::read_text_file(path);
  if (!text) return std::move(text).error();
  if (text->size() < checkpoint.events_bytes) return Error{"shorter than its checkpoint says", path};
  const auto events = document::read_stream(std::string_view(*text).substr(0, checkpoint.events_bytes), {},
                                            document::Strictness::foreign);
  if (!events) return Error(events.error()).within(path);
  for (std::size_t i = 0; i < events->size(); ++i) {
    if (auto problem = take_event(checkpoint, (*events)[i]))
      return std::move(*problem).within(path + ": document " + std::to_string(i + 1));
  }
  return std::nullopt;
}

}  // namespace

Value write_checkpoint(const Checkpoint& checkpoint) {
  return {{"apiVersion", cases::kApiVersion},
          {"kind", kKind},
          {"id", checkpoint.id.empty() ? Value() : Value(checkpoint.id)},
          {"arguments", document::list_of(checkpoint.arguments)},
          {"start", checkpoint.start},
          {"eventsBytes", static_cast<std::int64_t>(checkpoint.events_bytes)},
          {"seen", document::list_of(checkpoint.state.seen)},
          {"known", numbers(checkpoint.state.known.all())},
          {"recent", numbers(checkpoint.state.recent.all())},
          {"steering", list_of(checkpoint.state.steering, write_steering)},
          {"recentCounts", list_of(checkpoint.state.recent_counts, write_counts)},
          {"summary", reports::stop_event(checkpoint.state.summary)}};
}

Result<Checkpoint> read_checkpoint(const std::string& folder) {
  if (auto problem = not_of_a_run(folder, "checkpoint.json")) return *std::move(problem);
  const std::string path = folder + "/checkpoint.json";
  const auto documents = document::read_file(path);
  if (!documents) return documents.error();
  if (documents->size() != 1) return Error{"expected one Checkpoint", path};
  Checkpoint checkpoint;
  std::optional<Error> problem;
  Fields fields(documents->front(), "", problem);
  std::string word;
  std::vector<std::string> seen;
  Value stop;
  fields.choice("apiVersion", word, {cases::kApiVersion});
  fields.choice("kind", word, {kKind});
  fields.optional("id", checkpoint.id);
  fields.optional("arguments", checkpoint.arguments);
  fields.required("start", checkpoint.start);
  reports::take_count(fields, "eventsBytes", checkpoint.events_bytes);
  fields.optional("seen", seen);
  take_features(fields, "known", checkpoint.state.known);
  take_features(fields, "recent", checkpoint.state.recent);
  take_list(fields, "steering", problem, read_steering, checkpoint.state.steering);
  take_list(fields, "recentCounts", problem, read_counts, checkpoint.state.recent_counts);
  fields.required("summary", stop);
  fields.finish();
  if (problem) return std::move(*problem).within(path);
  auto summary = reports::read_stop_event(stop);
  if (!summary) return std::move(summary).error().within(path + ": /summary");
  checkpoint.state.summary = *std::move(summary);
  checkpoint.state.summary.why.clear();
  checkpoint.state.seen = {seen.begin(), seen.end()};
  if (checkpoint.events_bytes == 0) return checkpoint;
  if (auto lost = take_events(checkpoint, folder + "/events.ndjson")) return *std::move(lost);
  return checkpoint;
}

std::optional<Shard> parse_shard(const std::string& text) {
  Shard shard;
  const char* const end = text.data() + text.size();
  const auto index = std::from_chars(text.data(), end, shard.index);
  if (index.ec != std::errc() || index.ptr == end || *index.ptr != '/') return std::nullopt;
  const auto count = std::from_chars(index.ptr + 1, end, shard.count);
  if (count.ec != std::errc() || count.ptr != end || shard.index >= shard.count) return std::nullopt;
  return shard;
}

}  // namespace fixpoint::campaign
