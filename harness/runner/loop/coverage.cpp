#include "harness/runner/loop/coverage.h"

#include <algorithm>
#include <string_view>

#include "harness/document/pointer.h"
#include "harness/runner/learning/choices.h"

namespace fixpoint::runner {

namespace {

/// Computes FNV-1a over its parts, one by one.
class Mark {
 public:
  Mark& text(std::string_view part) {
    for (char c : part) byte(static_cast<unsigned char>(c));
    return number(0x100);
  }
  /// Adds a pointer or a path without its indices.
  Mark& place(std::string_view path) {
    for (std::size_t i = 0; i < path.size(); ++i) {
      const bool is_start = i == 0 || path[i - 1] == '/' || path[i - 1] == '[';
      const bool is_index = is_start && path[i] >= '0' && path[i] <= '9';
      byte(is_index ? '#' : static_cast<unsigned char>(path[i]));
      while (is_index && i + 1 < path.size() && path[i + 1] >= '0' && path[i + 1] <= '9') ++i;
    }
    return number(0x101);
  }
  Mark& number(std::uint64_t part) {
    state_ = (state_ ^ part) * kPrime;
    return *this;
  }
  std::uint64_t value() const { return mix(state_, 0); }

 private:
  static constexpr std::uint64_t kPrime = 0x100000001B3u;
  void byte(unsigned char c) { state_ = (state_ ^ c) * kPrime; }
  std::uint64_t state_ = 0xCBF29CE484222325u;
};

enum class Of : std::uint64_t { call, operation, end, invalid, overwritten };
Mark mark(Of of) { return Mark().number(static_cast<std::uint64_t>(of)); }

/// Marks the members below a value, of any depth.
void mark_members(const Mark& above, const document::Value& value, Features& features) {
  for (const document::Value& element : value.elements()) mark_members(above, element, features);
  for (const auto& member : value.members()) {
    Mark here = above;
    here.number(member.key.name().hash);
    features.push_back(here.value());
    mark_members(here, member.value, features);
  }
}

/// Returns true if an operation inserts into a list.
bool is_insertion(std::string_view op, std::string_view path) {
  if (path.ends_with("/-")) return true;
  if (op != "add" || path.empty()) return false;
  return path.find_first_not_of("0123456789", path.rfind('/') + 1) == std::string_view::npos;
}

/// Marks the members that an operation overwrites or removes. A webhook that overwrites does so in every Pod
/// alike: the new behaviour is in the members that it overwrites.
void mark_overwritten(const document::Value& operation, const document::Value& before, Mark place,
                      Features& features) {
  const std::string_view path = operation["path"].text();
  if (is_insertion(operation["op"].text(), path)) return;
  const auto pointer = document::parse_pointer(path);
  const document::Value* old = pointer ? document::resolve(before, *pointer) : nullptr;
  if (old == nullptr || old->empty() || !(old->is_object() || old->is_array())) return;
  mark_members(place.place(path), *old, features);
}

}  // namespace

Features features_of(const apiserver::Admission& admission) {
  Features features;
  for (const apiserver::CallEvent& event : admission.calls) {
    const auto& webhook = admission.webhooks[static_cast<std::size_t>(event.index)];
    const std::uint64_t ended = (event.result.changed ? 1u : 0u) + (event.result.applied ? 2u : 0u) +
                                (event.number > 1 ? 4u : 0u) + static_cast<std::uint64_t>(event.pass) * 8;
    features.push_back(
        mark(Of::call).text(webhook.name).number(ended).text(word(event.result.error)).value());
    if (!event.result.answer.patch) continue;
    for (const document::Value& operation : event.result.answer.patch->elements()) {
      features.push_back(mark(Of::operation)
                             .text(webhook.name)
                             .text(operation["op"].text())
                             .place(operation["path"].text())
                             .value());
      mark_overwritten(operation, event.before, mark(Of::overwritten).text(webhook.name), features);
    }
  }
  const auto code = admission.status ? static_cast<std::uint64_t>(admission.status->code) : 0;
  features.push_back(mark(Of::end).number(code).number(static_cast<std::uint64_t>(admission.passes)).value());
  for (const cases::FieldError& error : admission.invalid)
    features.push_back(mark(Of::invalid).text(error.type).place(error.field).value());
  return features;
}

bool CoverageMap::has_new(const Features& features) const {
  return known_.size() < kMarksMax &&
         std::any_of(
             features.begin(), features.end(), [&](std::uint64_t one) { return !known_.contains(one); });
}

Features CoverageMap::all() const {
  Features all(known_.begin(), known_.end());
  std::sort(all.begin(), all.end());
  return all;
}

bool CoverageMap::add(const Features& features) {
  bool is_new = false;
  for (std::uint64_t one : features) {
    if (known_.size() >= kMarksMax) return is_new;
    is_new = known_.insert(one).second || is_new;
  }
  return is_new;
}

}  // namespace fixpoint::runner
