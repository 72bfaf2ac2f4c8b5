#include "harness/properties/ownership.h"

#include <algorithm>
#include <string_view>

#include "harness/cases/request_user.h"
#include "harness/document/json.h"
#include "harness/properties/other_values.h"
#include "harness/properties/validity.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

/// Members of a container that hold a handler. They are replaced as a whole, since one kind of handler may
/// take the place of another.
constexpr std::string_view kHooks[] = {"livenessProbe", "readinessProbe", "startupProbe", "postStart",
                                       "preStop"};
constexpr std::string_view kHandlers[] = {"httpGet", "tcpSocket", "grpc", "exec", "sleep"};

/// Returns the probe or hook whose handler is at the place or contains it.
std::optional<Place> hook_of(const Place& place) {
  for (const std::string_view hook : kHooks) {
    if (const auto found = place.up_to(hook)) {
      const bool is_handler =
          std::any_of(std::begin(kHandlers), std::end(kHandlers),
                      [&](std::string_view handler) { return place.up_to(handler).has_value(); });
      return is_handler ? found : std::nullopt;
    }
  }
  return std::nullopt;
}

/// Returns true for a word of a command line, which a wrapper moves.
bool is_word(const Loss& loss) {
  return loss.place.is_element() && (loss.field->name.text == "command" || loss.field->name.text == "args");
}

bool all_differ(const std::vector<Value>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j)
      if (values[i] == values[j]) return false;
  }
  return true;
}

}  // namespace

std::string path_of_purpose(const Loss& loss) {
  for (const std::string_view hook : kHooks) {
    const std::string member = "." + std::string(hook) + ".";
    const auto at = loss.path.find(member);
    if (at != std::string::npos && hook_of(loss.place)) return loss.path.substr(0, at + member.size() - 1);
  }
  return loss.path;
}

OwnershipQuestion::OwnershipQuestion(const Examination& examination, const FirstCall& call)
    : examination_(examination), call_(call), before_(call.event.before), after_(call.event.result.after) {}

std::optional<Value> OwnershipQuestion::result_on(const Value& pod) {
  for (const auto& [known, result] : known_)
    if (known == pod) return result;
  std::optional<Value> result;
  if (is_called(examination_, call_.webhook, pod)) {
    const apiserver::CallResult call_result = call_afresh(examination_, call_.webhook, pod);
    if (went_well(call_result)) result = call_result.after;
  }
  known_.emplace_back(pod, result);
  return result;
}

bool OwnershipQuestion::is_repeatable_call() {
  if (!is_repeatable_)
    is_repeatable_ = is_repeatable(examination_, call_.webhook, before_, call_.event.result);
  return *is_repeatable_;
}

/// Returns true if the webhook writes the value when `removed` is absent, so that the lost value was replaced
/// by the result of that call.
bool OwnershipQuestion::is_written_without(const Place& removed, const Loss& loss) {
  return is_written_in(with_defaults(examination_.value, removed.removed_from(before_)), removed, loss);
}

bool OwnershipQuestion::is_written_in(const Value& less, const Place& removed, const Loss& loss) {
  if (lacks_containers(examination_.value, less)) return false;
  const auto result = result_on(less);
  if (!result) return false;
  const Value written = removed.in(*result);
  if (written.is_null() || written == removed.in(less)) return false;
  return loss.place.in(*result) == loss.place.in(after_);
}

bool OwnershipQuestion::is_in_own_element(const Loss& loss) {
  constexpr std::size_t kSteps = 3;  // spec, containers, [0]
  if (loss.place.size() < kSteps) return false;
  const Place element = loss.place.first(kSteps);
  if (!element.is_element()) return false;
  const Value less = with_defaults(examination_.value, element.removed_from(before_));
  if (lacks_containers(examination_.value, less)) return false;
  const auto result = result_on(less);
  return result && !element.in(*result).is_null();
}

bool OwnershipQuestion::is_written_whole(const Place& place) {
  const Value now = place.in(after_);
  if (!place.in(before_).is_object() || !now.is_object()) return false;
  const Value less = with_defaults(examination_.value, place.removed_from(before_));
  if (place.in(less) == now) return false;
  const auto result = result_on(less);
  return result && place.in(*result) == now;
}

bool OwnershipQuestion::is_own(const Loss& loss) {
  const Place place = hook_of(loss.place).value_or(loss.place);
  if (!loss.is_identity && is_written_without(place, loss)) return true;
  const auto around = place.elements_around();
  return std::any_of(around.begin(), around.end(), [&](const Place& element) {
    if (is_written_without(element, loss)) return true;
    // A webhook may write to each of a user's duplicates: without all of them it writes its own.
    const Value less = element.removed_with_namesakes_from(before_);
    return !(less == element.removed_from(before_)) &&
           is_written_in(with_defaults(examination_.value, less), element.first_namesake(), loss);
  });
}

std::pair<Place, std::vector<Value>> OwnershipQuestion::variants_of(const Loss& loss) const {
  const std::uint32_t hash = document::Name(document::write_json(before_) + loss.path).hash;
  if (const auto hook = hook_of(loss.place)) return {*hook, other_handlers(hook->in(before_), hash)};
  if (loss.is_gone && !is_word(loss)) return {loss.place, {}};
  return {loss.place, other_values(*loss.field, loss.place.in(before_), hash)};
}

bool OwnershipQuestion::is_exchanged(const Loss& loss) {
  constexpr std::size_t kSteps = 4;  // spec, volumes, [0], emptyDir
  if (!loss.is_gone || loss.place.size() != kSteps || !loss.path.starts_with("spec.volumes[")) return false;
  const Place volume = loss.place.first(kSteps - 1);
  const std::string name(volume.in(before_)["name"].text());
  const auto has_other_source = [&](const Value& pod, const std::string& called) {
    for (const Value& one : pod["spec"]["volumes"].elements())
      if (one["name"].text() == called)
        return one.members().size() > 1 && one.find(loss.field->name) == nullptr;
    return false;
  };
  if (!has_other_source(after_, name)) return false;
  const std::string other = "another-" + name;
  Value pod = before_;
  const auto rename = [&](Value& list) {
    for (std::size_t i = 0; i < list.size(); ++i)
      if (list.at(i)["name"].text() == name) list.edit(i).set("name", other);
  };
  rename(pod.edit("spec").edit("volumes"));
  for (const char* list : {"initContainers", "containers"})
    for (std::size_t i = 0; i < pod["spec"][list].size(); ++i)
      if (pod["spec"][list].at(i)["volumeMounts"].is_array())
        rename(pod.edit("spec").edit(list).edit(i).edit("volumeMounts"));
  const auto result = result_on(pod);
  return result && has_other_source(*result, other);
}

bool OwnershipQuestion::is_of_user(const Loss& loss) {
  if (!loss.is_gone) return false;
  cases::Request request = examination_.value.request;
  request.user_info = cases::user_named("jane@example.com");
  request.user_info->uid = "7";
  request.user_info->extra["example.com/scope"] = {"all"};
  const apiserver::CallResult result = WebhookCaller(examination_).call(call_.webhook, before_, request);
  const Value written = went_well(result) ? loss.place.in(result.after) : Value();
  return !written.is_null() && !(written == loss.place.in(before_));
}

bool OwnershipQuestion::is_saved(const Loss& loss) const {
  const Value lost = loss.place.in(before_);
  return std::ranges::any_of(after_["metadata"]["annotations"].members(), [&](const document::Member& one) {
    const std::string_view text = one.value.text();
    if (!text.starts_with('{') || before_["metadata"]["annotations"][one.key.name()] == one.value)
      return false;
    const auto saved = document::read_json(text);
    return saved && !lost.is_null() && loss.place.in(*saved) == lost;
  });
}

Ownership OwnershipQuestion::of(const Loss& loss) {
  if (loss.is_widened) return Ownership::lost;
  if (is_own(loss) || is_of_user(loss)) return Ownership::own;
  if (is_exchanged(loss) || is_saved(loss)) return Ownership::purpose;
  if (loss.is_identity) return Ownership::lost;
  const auto [place, values] = variants_of(loss);
  if (values.empty()) return Ownership::lost;
  // If two equal requests have different results, only the place shows what became of the value.
  const bool is_repeatable = is_repeatable_call();
  const auto seen = [&](const Value& pod) { return is_repeatable ? pod : place.in(pod); };
  std::vector<Value> results{seen(after_)}, there{place.in(after_)};
  for (const Value& value : values) {
    const auto result = result_on(place.put_into(before_, value));
    if (!result) continue;
    results.push_back(seen(*result));
    there.push_back(place.in(*result));
  }
  if (all_differ(results)) return Ownership::purpose;
  // The result is the same for every value: it is the webhook's own if the webhook also writes it where it is
  // absent.
  const bool is_constant =
      std::all_of(there.begin(), there.end(), [&](const Value& one) { return one == there.front(); });
  const Value less = with_defaults(examination_.value, place.removed_from(before_));
  const auto absent = result_on(less);
  const Value written = absent ? place.in(*absent) : Value();
  // A result that equals the server's default does not show that the webhook wrote it.
  const bool is_written = !written.is_null() && (written == there.front() || !(written == place.in(less)));
  return is_constant && is_written ? Ownership::own : Ownership::lost;
}

}  // namespace fixpoint::properties
