#include "harness/external/cluster_api/served_watch.h"

#include "harness/document/json.h"

namespace fixpoint::external {

using document::Value;

namespace {

constexpr std::chrono::seconds kBookmarkEvery{60};

}  // namespace

void ServedWatch::send_initial(const ObjectStore::Objects& objects, std::uint64_t version,
                               bool ends_initial) {
  for (const auto& [key, object] : objects) {
    if (is_selected(object, key)) send("ADDED", terms_.form.of(object, *terms_.resource));
  }
  position_ = version;
  if (ends_initial) send_bookmark(true);
}

bool ServedWatch::catch_up(const ObjectStore& store) {
  if (!store.is_known(position_)) {
    fail(expired(position_, store.version()));
    return false;
  }
  bool has_sent = false;
  for (const ObjectEvent* event : store.changes_after(position_, terms_.resource->store()))
    has_sent = offer(*event) || has_sent;
  position_ = store.version();
  return has_sent;
}

void ServedWatch::fail(const ApiFailure& failure) {
  send("ERROR", status_of(failure));
  stream_->end();
}

void ServedWatch::tick(Clock::time_point now) {
  const bool is_over = now >= terms_.until;
  if (terms_.allows_bookmarks && (is_over || now - bookmarked_ >= kBookmarkEvery)) send_bookmark(false);
  if (is_over) stream_->end();
}

bool ServedWatch::is_selected(const Value& object, const ObjectKey& key) const {
  const bool is_here = terms_.namespace_name.empty() || terms_.namespace_name == key.namespace_name;
  return is_here && !object.is_null() && terms_.selector.selects(object);
}

bool ServedWatch::offer(const ObjectEvent& event) {
  const bool was = is_selected(event.before, event.key);
  const bool is = event.type != ObjectEvent::Type::deleted && is_selected(event.object, event.key);
  if (!was && !is) return false;
  if (is) {
    send(was ? "MODIFIED" : "ADDED", terms_.form.of(event.object, *terms_.resource));
    return true;
  }
  // An object that ceases to match is reported as it was, at the version of the change.
  Value last = event.before;
  last.edit("metadata").set("resourceVersion", std::to_string(event.version));
  send("DELETED", terms_.form.of(last, *terms_.resource));
  return true;
}

void ServedWatch::send(std::string_view type, const Value& object) {
  std::string text("{\"type\":\"");
  text.append(type).append("\",\"object\":").append(document::write_go_json(object)).append("}\n");
  stream_->push(text);
}

void ServedWatch::send_bookmark(bool ends_initial) {
  bookmarked_ = Clock::now();
  send("BOOKMARK", terms_.form.bookmark(*terms_.resource, position_, ends_initial));
}

}  // namespace fixpoint::external
