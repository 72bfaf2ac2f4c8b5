#include "harness/document/patch_nodes.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "harness/document/json.h"
#include "harness/document/member_finder.h"

namespace fixpoint::document {

const Value kAddedNull("a null that a patch added");
const Value kCopiedNull("a null that a copy made");

std::size_t depth_of(const Value& value) {
  if (!value.is_array() && !value.is_object()) return 0;
  std::size_t deepest = 0;
  for (const Value& element : value.elements()) deepest = std::max(deepest, depth_of(element));
  for (const Member& member : value.members()) deepest = std::max(deepest, depth_of(member.value));
  return deepest + 1;
}

Value as_copied(const Value& value) {
  if (value.same(kAddedNull) || value.same(kCopiedNull)) return {};
  if (!value.spelling().empty()) {
    const std::string spelling = write_go_json(value);
    std::string usual;
    append_go_json_string(usual, value.text());
    if (spelling == value.spelling()) return value;
    return spelling == usual ? Value(value.text()) : Value::spelled(value.text(), spelling);
  }
  Value copy = value;
  for (std::size_t i = 0; i < value.elements().size(); ++i) {
    Value element = as_copied(value.elements()[i]);
    if (!element.same(value.elements()[i])) copy.edit(i) = std::move(element);
  }
  for (std::size_t i = 0; i < value.members().size(); ++i) {
    Value member = as_copied(value.members()[i].value);
    if (!member.same(value.members()[i].value)) copy.edit_members()[i].value = std::move(member);
  }
  return copy;
}

void drop_duplicates(Value& value) {
  if (value.distinct()) return;
  std::unordered_set<std::string_view> seen;
  std::vector<Member> kept;
  const auto members = value.members();
  for (std::size_t i = members.size(); i-- > 0;) {
    if (seen.insert(members[i].key.text()).second) kept.push_back(members[i]);
  }
  std::reverse(kept.begin(), kept.end());
  value = Value(std::move(kept));
}

void drop_all_duplicates(Value& value) {
  drop_duplicates(value);
  if (value.is_array()) {
    for (Value& element : value.edit_elements()) drop_all_duplicates(element);
  } else if (value.is_object()) {
    for (Member& member : value.edit_members()) drop_all_duplicates(member.value);
  }
}

Comparison::Verdict Comparison::compare(const Value& document, const Value& patch) {
  ++steps_;
  if (document.same(kCopiedNull)) {
    return patch.is_object() && patch.empty() ? Verdict::equal : Verdict::different;
  }
  if (document.same(kAddedNull) || document.kind() != patch.kind()) return Verdict::different;
  if (document.is_object()) return compare_objects(document, patch);
  if (document.is_array()) return compare_lists(document, patch);
  const bool equal =
      document.same(patch) ||
      (document.text() == patch.text() && document.spelling() == patch.spelling() && !document.is_boolean());
  return equal ? Verdict::equal : Verdict::different;
}

Comparison::Verdict Comparison::compare_objects(const Value& document, const Value& patch) {
  if (!document.distinct() || !patch.distinct()) {
    met_duplicates_ = met_duplicates_ || !document.distinct();
    Value left = document, right = patch;
    drop_duplicates(left);
    drop_duplicates(right);
    return compare_objects(left, right);
  }
  if (document.size() != patch.size()) return Verdict::different;
  MemberFinder others(patch);
  for (const Member& member : document.members()) {
    const Value* other = others.find(member.key);
    if (other == nullptr || member.value.is_null() != other->is_null()) return Verdict::different;
    if (other->is_null()) continue;
    if (const Verdict verdict = compare(member.value, *other); verdict != Verdict::equal) return verdict;
  }
  return Verdict::equal;
}

Comparison::Verdict Comparison::compare_lists(const Value& document, const Value& patch) {
  if (document.size() != patch.size()) return Verdict::different;
  for (std::size_t i = 0; i < document.size(); ++i) {
    const Value &ours = document.elements()[i], &theirs = patch.elements()[i];
    if (ours.is_null() || theirs.is_null()) return Verdict::panic;
    if (const Verdict verdict = compare(ours, theirs); verdict != Verdict::equal) return verdict;
  }
  return Verdict::equal;
}

}  // namespace fixpoint::document
