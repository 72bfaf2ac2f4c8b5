#include "harness/external/cluster_api/object_store.h"

#include <algorithm>
#include <utility>

namespace fixpoint::external {

namespace {

using document::Value;

Value with_version(Value object, std::uint64_t version) {
  object.edit("metadata").set("resourceVersion", std::to_string(version));
  return object;
}

}  // namespace

std::vector<ObjectEvent> ObjectStore::show(const ShownCluster& shown) {
  std::vector<ObjectEvent> events;
  std::vector<std::pair<std::string, ObjectKey>> gone;
  for (const auto& [store, objects] : shown_) {
    const auto next = shown.by_store.find(store);
    for (const auto& [key, old] : objects) {
      const bool stays = next != shown.by_store.end() && next->second.contains(key);
      if (!stays && !old.is_of_client) gone.emplace_back(store, key);
    }
  }
  for (const auto& [store, key] : gone) events.push_back(end(store, key));
  for (const auto& [store, objects] : shown.by_store) {
    auto& known = shown_[store];
    for (const auto& [key, object] : objects) {
      const auto old = known.find(key);
      if (old != known.end() && (old->second.is_of_client || old->second.object == object)) continue;
      events.push_back(change(store, key, object));
    }
  }
  return events;
}

ObjectEvent ObjectStore::put(const std::string& store, const ObjectKey& key, Value object) {
  object.edit("metadata").remove("resourceVersion");
  ObjectEvent event = change(store, key, std::move(object));
  shown_[store][key].is_of_client = true;
  forget_oldest_of_clients();
  return event;
}

ObjectEvent ObjectStore::put_for_now(const std::string& store, const ObjectKey& key, Value object) {
  object.edit("metadata").remove("resourceVersion");
  return change(store, key, std::move(object));
}

std::optional<ObjectEvent> ObjectStore::remove(const std::string& store, const ObjectKey& key) {
  if (find(store, key) == nullptr) return std::nullopt;
  return end(store, key);
}

const Value* ObjectStore::find(std::string_view store, const ObjectKey& key) const {
  const Objects& all = objects(store);
  const auto found = all.find(key);
  return found == all.end() ? nullptr : &found->second;
}

const ObjectStore::Objects& ObjectStore::objects(std::string_view store) const {
  static const Objects kNone;
  const auto found = objects_.find(store);
  return found == objects_.end() ? kNone : found->second;
}

ObjectStore::Objects ObjectStore::objects_at(std::string_view store, std::uint64_t version) const {
  Objects all = objects(store);
  for (auto event = log_.rbegin(); event != log_.rend() && event->version > version; ++event) {
    if (event->store != store) continue;
    if (event->before.is_null()) {
      all.erase(event->key);
    } else {
      all.insert_or_assign(event->key, event->before);
    }
  }
  return all;
}

std::vector<const ObjectEvent*> ObjectStore::changes_after(std::uint64_t version,
                                                           std::string_view store) const {
  const auto first = std::partition_point(log_.begin(), log_.end(),
                                          [&](const ObjectEvent& event) { return event.version <= version; });
  std::vector<const ObjectEvent*> found;
  for (auto event = first; event != log_.end(); ++event) {
    if (event->store == store) found.push_back(&*event);
  }
  return found;
}

ObjectEvent ObjectStore::change(const std::string& store, const ObjectKey& key, Value object) {
  ++version_;
  Value& place = objects_[store][key];
  Value before = std::move(place);
  place = with_version(object, version_);
  shown_[store][key] = {.object = std::move(object), .version = version_};
  ObjectEvent event{.type = before.is_null() ? ObjectEvent::Type::added : ObjectEvent::Type::modified,
                    .version = version_,
                    .store = store,
                    .key = key,
                    .object = place,
                    .before = std::move(before)};
  log(event);
  return event;
}

ObjectEvent ObjectStore::end(const std::string& store, const ObjectKey& key) {
  ++version_;
  const auto place = objects_[store].find(key);
  ObjectEvent event{.type = ObjectEvent::Type::deleted,
                    .version = version_,
                    .store = store,
                    .key = key,
                    .object = with_version(place->second, version_),
                    .before = place->second};
  objects_[store].erase(place);
  shown_[store].erase(key);
  log(event);
  return event;
}

void ObjectStore::log(const ObjectEvent& event) {
  log_.push_back(event);
  while (log_.size() > log_max_) {
    forgotten_ = log_.front().version;
    log_.pop_front();
  }
}

void ObjectStore::forget_oldest_of_clients() {
  std::size_t count = 0;
  std::map<ObjectKey, Shown>* store = nullptr;
  std::string_view store_name;
  ObjectKey oldest;
  std::uint64_t oldest_version = version_ + 1;
  for (auto& [name, objects] : shown_) {
    for (const auto& [key, shown] : objects) {
      if (!shown.is_of_client) continue;
      ++count;
      if (shown.version >= oldest_version) continue;
      oldest_version = shown.version;
      oldest = key;
      store = &objects;
      store_name = name;
    }
  }
  if (count <= leases_max_ || store == nullptr) return;
  objects_.find(store_name)->second.erase(oldest);
  store->erase(oldest);
}

}  // namespace fixpoint::external
