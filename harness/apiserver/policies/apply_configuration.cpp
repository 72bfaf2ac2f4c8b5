#include "harness/apiserver/policies/apply_configuration.h"

#include <algorithm>
#include <map>
#include <optional>

#include "harness/apiserver/policies/typed_walk.h"
#include "harness/document/joined.h"
#include "harness/document/server_text.h"

namespace fixpoint::apiserver::policies {

namespace {

using document::Error;
using document::Member;
using document::Result;
using document::Text;
using document::Value;

/// The first minor that merges into an object with elements of one key.
constexpr int kDuplicatesSince = 35;

bool is_nothing(const Value* value) { return value == nullptr || value->empty(); }

/// An element of an associative list with its key. Elements that share one key are not merged.
struct Keyed {
  std::string key;
  const Value* element;
};

using ByKey = std::map<std::string_view, const Value*>;
/// Returns the elements by their keys: of equal ones the first, or `repeated` if there is one.
ByKey by_key(const std::vector<Keyed>& list, const Value* repeated) {
  ByKey elements;
  for (const Keyed& one : list) {
    if (!elements.emplace(one.key, one.element).second && repeated != nullptr) elements[one.key] = repeated;
  }
  return elements;
}
const Value* found_in(const ByKey& elements, std::string_view key) {
  const auto row = elements.find(key);
  return row == elements.end() ? nullptr : row->second;
}

/// The merge of structured-merge-diff (typed/merge.go): both sides conform to the schema, and the right one
/// wins. A side may be absent, or null, which is a list or a map without content.
class Merge {
 public:
  explicit Merge(int minor) : minor_(minor) {}

  /// Returns nothing if both sides say nothing.
  std::optional<Value> merged(const Place& place, const Value* left, const Value* right) const {
    const bool is_list = place.is_list();
    const bool is_map = !is_list && !place.is_free() && (place.is_map() || place.is_struct());
    if (is_list && place.rule().relation == Relation::associative) {
      if (!is_nothing(left) || !is_nothing(right)) return merged_list(place, left, right);
      // An empty list of CEL is a nil slice of Go, which is decoded as an absent list; in a custom resource
      // it is dropped.
      if (right != nullptr) return place.schema == nullptr ? std::optional(Value()) : std::nullopt;
    } else if (is_map && !place.is_whole()) {
      if (!is_nothing(left) || !is_nothing(right)) return merged_map(place, left, right);
    }
    if (right != nullptr) return *right;
    if (left != nullptr) return *left;
    return std::nullopt;
  }

 private:
  std::optional<Value> merged_map(const Place& place, const Value* left, const Value* right) const {
    std::vector<Member> members;
    const auto put = [&](const document::Key& key, const Value* a, const Value* b) {
      const auto part = place.member(key.text(), minor_);
      if (auto value = part ? merged(*part, a, b) : std::nullopt) members.push_back({key, *std::move(value)});
    };
    if (left != nullptr) {
      for (const Member& member : left->members())
        put(member.key, &member.value, right == nullptr ? nullptr : right->find(member.key.name()));
    }
    if (right != nullptr) {
      for (const Member& member : right->members())
        if (left == nullptr || left->find(member.key.name()) == nullptr)
          put(member.key, nullptr, &member.value);
    }
    if (members.empty()) return std::nullopt;
    return Value(std::move(members));
  }

  static std::vector<Keyed> keyed(const MergeRule& rule, const Value* list) {
    std::vector<Keyed> all;
    if (list == nullptr) return all;
    for (const Value& element : list->elements()) all.push_back({key_of(rule, element).text, &element});
    return all;
  }

  /// Elements of the left list stand in its order, those of the right in its; what both have is put where
  /// both orders agree, else where the right one says.
  std::optional<Value> merged_list(const Place& place, const Value* left, const Value* right) const {
    const MergeRule rule = place.rule();
    const std::vector<Keyed> lefts = keyed(rule, left), rights = keyed(rule, right);
    static const Value kNull;
    const auto of_left = by_key(lefts, &kNull), of_right = by_key(rights, nullptr);
    std::vector<std::string_view> shared;
    for (const Keyed& one : rights)
      if (of_left.contains(one.key)) shared.push_back(one.key);
    std::size_t next_shared = 0;

    std::vector<Value> out;
    std::map<std::string_view, bool> done;
    const auto put = [&](const Value* a, const Value* b) {
      if (auto value = merged(place.element(), a, b)) out.push_back(*std::move(value));
    };
    for (std::size_t l = 0, r = 0; l < lefts.size() || r < rights.size();) {
      if (l < lefts.size() && r < rights.size()) {
        const std::string_view key = lefts[l].key;
        if (key == rights[r].key) {
          done[key] = true;
          put(found_in(of_left, key), found_in(of_right, key));
          ++l, ++r, ++next_shared;
          continue;
        }
        if (of_right.contains(key) && next_shared < shared.size() && shared[next_shared] != key) {
          ++l;
          continue;
        }
      }
      if (l < lefts.size()) {
        if (!of_right.contains(lefts[l].key)) {
          put(lefts[l].element, nullptr);
          ++l;
          continue;
        }
        if (done.contains(lefts[l].key)) ++l;
      }
      if (r < rights.size()) {
        const std::string_view key = rights[r].key;
        done[key] = true;
        put(found_in(of_left, key), found_in(of_right, key));
        ++r;
        if (next_shared < shared.size() && shared[next_shared] == key) ++next_shared;
      }
    }
    if (out.empty()) return std::nullopt;
    return Value(std::move(out));
  }

  int minor_;
};

/// The server prints them in the order of a Go map; here they are sorted.
std::string joined_problems(std::vector<std::string> problems) {
  std::sort(problems.begin(), problems.end());
  if (problems.size() == 1) return problems.front();
  std::string text = "errors:";
  for (const std::string& problem : problems) text.append("\n  ").append(problem);
  return text;
}

}  // namespace

Result<Value> merge_configuration(const Value& object, const Value& configuration, const Place& root,
                                  int minor) {
  if (const auto problems = schema_problems(root, configuration, minor, false); !problems.empty()) {
    return Error{Text("error applying patch: failed to convert patch object to typed object: {}")
                     .with({joined_problems(problems)})};
  }
  if (const auto atomics = atomic_paths(root, configuration, minor); !atomics.empty()) {
    return Error{
        Text("error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or "
             "structs: {}")
            .with({document::joined(atomics)})};
  }
  if (const auto problems = schema_problems(root, object, minor, minor >= kDuplicatesSince);
      !problems.empty()) {
    return Error{Text("error applying patch: failed to convert original object to typed object: {}")
                     .with({joined_problems(problems)})};
  }
  return Merge(minor).merged(root, &object, &configuration).value_or(Value::empty_object());
}

}  // namespace fixpoint::apiserver::policies
