#include "harness/apiserver/cel/cel_value.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <new>

#include "harness/apiserver/cel/cel_boxes.h"
#include "harness/apiserver/cel/meter.h"
#include "harness/apiserver/cel/numbers.h"

namespace fixpoint::apiserver::cel {

namespace {

/// Maps of more entries than this find their keys by hash.
constexpr std::size_t kScannedEntries = 8;

/// Equal for equal keys, also for numbers of different types.
std::uint64_t key_hash(const Datum& key) {
  switch (key.kind()) {
    case Kind::boolean:
      return key.is_true() ? 1 : 2;
    case Kind::integer:
      return std::hash<double>()(static_cast<double>(key.integer()));
    case Kind::unsigned_integer:
      return std::hash<double>()(static_cast<double>(key.unsigned_integer()));
    case Kind::real:
      return std::hash<double>()(key.real());
    default:
      return std::hash<std::string_view>()(key.text());
  }
}

bool is_same_key(const Datum& a, const Datum& b) { return equal(a, b); }

/// The bytes of an element, and of an entry of a map with its place.
constexpr std::size_t kElementBytes = sizeof(Datum), kEntryBytes = 4 * sizeof(Datum);

/// The text of a value, which costs its length and the memory around it.
TextBox* new_text(std::string_view text) {
  spend_bytes(text.size() + sizeof(TextBox));
  return new TextBox(text);
}

void deepen(Box& box, const Datum& value) {
  if (value.depth() < box.depth) return;
  check_nesting(value.depth() + 1);
  box.depth = value.depth() + 1;
}

}  // namespace

void ListBox::add(Datum element) {
  spend_bytes(kElementBytes);
  deepen(*this, element);
  elements.push_back(std::move(element));
}

Datum OpaqueBox::member(std::string_view, bool& found) const {
  found = false;
  return {};
}

const Datum* MapBox::find(const Datum& key) const {
  if (entries.size() <= kScannedEntries) {
    for (const auto& [is, value] : entries) {
      if (is_same_key(is, key)) return &value;
    }
    return nullptr;
  }
  const auto [from, to] = places.equal_range(key_hash(key));
  for (auto at = from; at != to; ++at) {
    if (is_same_key(entries[at->second].first, key)) return &entries[at->second].second;
  }
  return nullptr;
}

void MapBox::put(Datum key, Datum value) {
  if (const Datum* is = find(key)) {
    deepen(*this, value);
    const_cast<Datum&>(*is) = std::move(value);  // the entries are this box's own
    return;
  }
  spend_bytes(kEntryBytes);
  deepen(*this, value);
  entries.emplace_back(std::move(key), std::move(value));
  if (entries.size() <= kScannedEntries) return;
  for (std::size_t i = places.size(); i < entries.size(); ++i) places.emplace(key_hash(entries[i].first), i);
}

Datum Datum::of(double value) { return {Kind::real, std::bit_cast<std::int64_t>(value)}; }
Datum Datum::of(std::string_view value) { return {Kind::text, new_text(value)}; }
Datum Datum::of(const Time& value) { return {Kind::timestamp, new TimeBox(value)}; }
Datum Datum::bytes(std::string_view value) { return {Kind::bytes, new_text(value)}; }
Datum Datum::type(std::string_view name) { return {Kind::type, new TextBox(name)}; }
Datum Datum::error(std::string_view message) { return {Kind::error, new_text(message)}; }
Datum Datum::none() { return {Kind::optional, std::int64_t{0}}; }

Datum Datum::of(std::vector<Datum> elements) {
  spend_bytes(elements.size() * kElementBytes);
  auto box = std::make_unique<ListBox>();
  for (const Datum& element : elements) deepen(*box, element);
  box->elements = std::move(elements);
  return {Kind::list, box.release()};
}

Datum Datum::of(std::vector<std::pair<Datum, Datum>> entries) {
  auto box = std::make_unique<MapBox>();
  for (auto& [key, value] : entries) box->put(std::move(key), std::move(value));
  return {Kind::map, box.release()};
}

Datum Datum::some(Datum value) {
  auto box = std::make_unique<OptionalBox>();
  deepen(*box, value);
  box->value = std::move(value);
  return {Kind::optional, box.release()};
}

Datum Datum::growing(Kind kind) {
  if (kind == Kind::list) {
    auto* box = new ListBox;
    box->grows = true;
    return {kind, box};
  }
  auto* box = new MapBox;
  box->grows = true;
  return {kind, box};
}

Datum Datum::of(const document::Value& value) {
  switch (value.kind()) {
    case document::Kind::null:
      return {};
    case document::Kind::boolean:
      return of(value.is_true());
    case document::Kind::number:
      if (const auto integer = value.integer()) return of(*integer);
      return of(value.real().value_or(0));
    default:
      break;
  }
  Datum view;
  view.kind_ = value.is_string() ? Kind::text : value.is_array() ? Kind::list : Kind::map;
  view.form_ = Form::document;
  new (&view.document_) document::Value(value);
  return view;
}

void Datum::copy_from(const Datum& other) noexcept {
  if (form_ == Form::document) {
    new (&document_) document::Value(other.document_);
  } else {
    word_ = other.word_;
    if (form_ == Form::box) box_->references.fetch_add(1, std::memory_order_relaxed);
  }
}

void Datum::steal(Datum& other) noexcept {
  if (form_ == Form::document) {
    new (&document_) document::Value(std::move(other.document_));
    other.document_.~Value();
  } else {
    word_ = other.word_;
  }
  other.kind_ = Kind::null;
  other.form_ = Form::word;
  other.word_ = 0;
}

void Datum::release() noexcept {
  if (form_ == Form::word) return;
  if (form_ == Form::document) {
    document_.~Value();
  } else if (box_->references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    delete box_;
  }
}

double Datum::real() const noexcept { return std::bit_cast<double>(word_); }

std::string_view Datum::text() const noexcept {
  if (form_ == Form::document) return document_.text();
  if (form_ != Form::box) return {};
  return static_cast<const TextBox*>(box_)->text;
}

const Time& Datum::time() const { return static_cast<const TimeBox*>(box_)->time; }

const Datum* Datum::held() const {
  return form_ == Form::box ? &static_cast<const OptionalBox*>(box_)->value : nullptr;
}

std::size_t Datum::size() const {
  if (form_ == Form::document) return document_.size();
  if (kind_ == Kind::list) return static_cast<const ListBox*>(box_)->elements.size();
  return kind_ == Kind::map ? static_cast<const MapBox*>(box_)->entries.size() : 0;
}

Datum Datum::element(std::size_t index) const {
  if (form_ == Form::document) return of(document_.at(index));
  return static_cast<const ListBox*>(box_)->elements[index];
}

std::pair<Datum, Datum> Datum::entry(std::size_t index) const {
  if (form_ != Form::document) return static_cast<const MapBox*>(box_)->entries[index];
  const document::Member& member = document_.members()[index];
  return {of(member.key.text()), of(member.value)};
}

bool Datum::find(std::string_view key, Datum& into) const {
  if (form_ == Form::document) {
    const document::Value* found = document_.find(key);
    if (found == nullptr) return false;
    into = of(*found);
    return true;
  }
  return find(of(key), into);
}

bool Datum::find(const Datum& key, Datum& into) const {
  if (form_ == Form::document) return key.is(Kind::text) && find(key.text(), into);
  const Datum* found = static_cast<const MapBox*>(box_)->find(key);
  if (found == nullptr) return false;
  into = *found;
  return true;
}

Datum Datum::joined(const Datum& a, const Datum& b) {
  auto* box = new ListBox;
  box->is_joined = true;
  box->elements.reserve(a.size() + b.size());
  for (const Datum* list : {&a, &b})
    for (std::size_t i = 0; i < list->size(); ++i) box->elements.push_back(list->element(i));
  return {Kind::list, box};
}

bool Datum::is_joined() const noexcept {
  return kind_ == Kind::list && form_ == Form::box && static_cast<const ListBox*>(box_)->is_joined;
}

Datum Datum::set_of(std::vector<Datum> elements) {
  Datum list = of(std::move(elements));
  static_cast<ListBox*>(const_cast<Box*>(list.box_))->is_set = true;  // nobody else has it yet
  return list;
}

Datum Datum::list_by_key(std::vector<Datum> elements, std::vector<std::string> keys) {
  Datum list = of(std::move(elements));
  static_cast<ListBox*>(const_cast<Box*>(list.box_))->keys = std::move(keys);
  return list;
}

const ListBox* Datum::unordered_list() const noexcept {
  if (kind_ != Kind::list || form_ != Form::box) return nullptr;
  const auto* box = static_cast<const ListBox*>(box_);
  return box->has_order() ? nullptr : box;
}

ListBox* Datum::growing_list() const {
  if (kind_ != Kind::list || form_ != Form::box) return nullptr;
  auto* box = const_cast<ListBox*>(static_cast<const ListBox*>(box_));
  return box->grows ? box : nullptr;
}

MapBox* Datum::growing_map() const {
  if (kind_ != Kind::map || form_ != Form::box) return nullptr;
  auto* box = const_cast<MapBox*>(static_cast<const MapBox*>(box_));
  return box->grows ? box : nullptr;
}

void Datum::settle() const {
  if (ListBox* list = growing_list()) list->grows = false;
  if (MapBox* map = growing_map()) map->grows = false;
}

std::string_view type_name(const Datum& value) {
  switch (value.kind()) {
    case Kind::error:
      return "error";
    case Kind::null:
      return "null_type";
    case Kind::boolean:
      return "bool";
    case Kind::integer:
      return "int";
    case Kind::unsigned_integer:
      return "uint";
    case Kind::real:
      return "double";
    case Kind::text:
      return "string";
    case Kind::bytes:
      return "bytes";
    case Kind::list:
      return "list";
    case Kind::map:
      return "map";
    case Kind::duration:
      return "google.protobuf.Duration";
    case Kind::timestamp:
      return "google.protobuf.Timestamp";
    case Kind::type:
      return "type";
    case Kind::optional:
      return "optional_type";
    case Kind::opaque:
      return value.opaque().type_name();
  }
  return {};
}

namespace {

/// Returns the values of the key members of an element.
std::vector<Datum> key_of(const Datum& element, const std::vector<std::string>& keys) {
  std::vector<Datum> values(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (element.is(Kind::map)) element.find(std::string_view(keys[i]), values[i]);
  return values;
}

bool are_namesakes(const ListBox& list, const Datum& a, const Datum& b) {
  if (list.is_set) return equal(a, b);
  const std::vector<Datum> key = key_of(a, list.keys), other = key_of(b, list.keys);
  return std::equal(key.begin(), key.end(), other.begin(), equal);
}

/// Returns the index of the last element that has the key of another one; the size if none has.
std::size_t namesake_in(const ListBox& list, const std::vector<Datum>& elements, const Datum& of) {
  for (std::size_t i = elements.size(); i-- > 0;)
    if (are_namesakes(list, elements[i], of)) return i;
  return elements.size();
}

bool equal_without_order(const ListBox& a, const Datum& b) {
  if (a.elements.size() != b.size()) return false;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const Datum element = b.element(i);
    const std::size_t at = namesake_in(a, a.elements, element);
    if (at == a.elements.size() || !equal(a.elements[at], element)) return false;
  }
  return true;
}

}  // namespace

Datum add_to_unordered(const ListBox& a, const Datum& b) {
  std::vector<Datum> elements = a.elements;
  for (std::size_t i = 0; i < b.size(); ++i) {
    Datum element = b.element(i);
    const std::size_t at = namesake_in(a, elements, element);
    if (at == elements.size())
      elements.push_back(std::move(element));
    else
      elements[at] = std::move(element);
  }
  return a.is_set ? Datum::set_of(std::move(elements)) : Datum::list_by_key(std::move(elements), a.keys);
}

bool equal(const Datum& a, const Datum& b) {
  spend_step();
  if (is_number(a) && is_number(b)) return compare_numbers(a, b) == std::partial_ordering::equivalent;
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Kind::null:
      return true;
    case Kind::boolean:
    case Kind::duration:
      return a.integer() == b.integer();
    case Kind::text:
    case Kind::bytes:
    case Kind::type:
      return a.text() == b.text();
    case Kind::timestamp:
      return a.time() == b.time();
    case Kind::optional:
      if (a.held() == nullptr || b.held() == nullptr) return a.held() == b.held();
      return equal(*a.held(), *b.held());
    case Kind::opaque:
      return a.opaque().type_name() == b.opaque().type_name() && a.opaque().equals(b.opaque());
    case Kind::list:
      if (const ListBox* list = a.unordered_list()) return equal_without_order(*list, b);
      if (a.size() != b.size()) return false;
      for (std::size_t i = 0; i < a.size(); ++i) {
        if (!equal(a.element(i), b.element(i))) return false;
      }
      return true;
    case Kind::map:
      if (a.size() != b.size()) return false;
      for (std::size_t i = 0; i < a.size(); ++i) {
        const auto [key, value] = a.entry(i);
        Datum other;
        if (!b.find(key, other) || !equal(value, other)) return false;
      }
      return true;
    default:
      return false;
  }
}

}  // namespace fixpoint::apiserver::cel
