#include "harness/runner/diagnosis/title.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "harness/cases/kind_words.h"
#include "harness/runner/diagnosis/guard.h"
#include "harness/webhooks/process.h"

namespace fixpoint::runner {

namespace {

using cases::Cause;
using cases::Finding;

bool is_of_mount(const Finding& finding, const Cause& cause) {
  return cause.place.find("volumeMounts[") != std::string::npos && has_word(cause, kFindsItsOwn) &&
         finding.evidence.reason.find("mountPath") != std::string::npos;
}
bool finds_its_own(const Finding&, const Cause& cause) { return has_word(cause, kFindsItsOwn); }
bool is_twice(const Finding&, const Cause& cause) { return has_word(cause, kTwice); }
bool asks_one_list(const Finding&, const Cause& cause) { return has_word(cause, kAsksOneList); }
bool is_by_design(const Finding&, const Cause& cause) { return has_word(cause, kByDesign); }
bool is_misconfigured(const Finding&, const Cause& cause) { return has_word(cause, kMisconfigured); }
bool is_of_stranger(const Finding&, const Cause& cause) { return has_word(cause, kOfStranger); }
bool is_unguarded(const Finding&, const Cause& cause) { return has_word(cause, kUnguarded); }
bool is_whole(const Finding& finding, const Cause&) { return is_replaced_whole(finding); }
bool is_own_mount(const Finding&, const Cause& cause) {
  return cause.place.find("volumeMounts[/") != std::string::npos;
}
bool replaces(const Finding&, const Cause& cause) { return kind_of_change(cause.change) == "replaces"; }
bool is_copied(const Finding&, const Cause& cause) { return kind_of_change(cause.change) == "copies"; }
bool is_constant(const Finding& finding, const Cause&) {
  return finding.evidence.reason.find(" gives way to a value of the webhook's own") != std::string::npos;
}
bool is_lifted(const Finding& finding, const Cause&) {
  return finding.evidence.reason.ends_with(", which allows more");
}
bool is_of_copy(const Finding& finding, const Cause&) {
  return finding.evidence.reason.starts_with("a call on a user's copy");
}
bool settles_later(const Finding& finding, const Cause&) {
  return finding.verdict.starts_with("settles-after");
}
bool is_of_stored(const Finding& finding, const Cause&) { return finding.property == "settles-when-stored"; }
/// The title of what the cluster refuses later, by the property that sends it; the value is the server's
/// text.
bool is_refused_later(const Finding& finding, const Cause&) {
  return (finding.property == "applied-again" || finding.property == "subresources") &&
         finding.evidence.reason.find(" is refused ") != std::string::npos;
}
bool is_of_scale(const Finding& finding, const Cause&) {
  return finding.evidence.reason.starts_with("a Scale is refused ");
}
bool is_of_object(const Finding& finding, const Cause&) {
  return finding.evidence.reason.ends_with("its kind has the subresource status");
}
bool is_of_update(const Finding& finding, const Cause&) { return is_refused_update(finding); }
bool is_of_the_dying(const Finding& finding, const Cause&) {
  return finding.evidence.reason.starts_with("the removal of a finalizer") &&
         finding.evidence.reason.find(" is refused by ") != std::string::npos;
}

/// The message says more than the place.
bool is_refusal(const Finding& finding, const Cause& cause) {
  return cause.symptom == "fails-inside" && !is_misconfigured(finding, cause);
}

bool is_crash(const Finding& finding, const Cause&) { return !crash_of(finding).empty(); }

bool is_misconfigured_crash(const Finding& finding, const Cause& cause) {
  return is_misconfigured(finding, cause) && is_crash(finding, cause);
}

bool is_crash_on_invalid(const Finding& finding, const Cause& cause) {
  return is_crash(finding, cause) &&
         finding.evidence.reason.ends_with("the API server would refuse the Pod anyway");
}

/// A symptom, what else was seen, and the sentence: {} is the place. The first row that fits is taken.
struct Title {
  std::string_view symptom;
  bool (*was_seen)(const Finding&, const Cause&);
  std::string_view text;
};
constexpr std::array kTitles = std::to_array<Title>({
    {"duplicate", is_of_mount, "mounts {} at a path where the user mounts"},
    {"duplicate", finds_its_own, "adds {} beside one of the user that has its key"},
    {"duplicate", is_copied, "copies a user's element into {} beside its own"},
    {"duplicate", is_twice, "adds {} twice in one call"},
    {"duplicate", asks_one_list, "adds {} while another list of containers has that name"},
    {"duplicate", is_unguarded, "adds {} without a check"},
    {"duplicate", nullptr, "adds {} where one is with its key"},
    {"unstable", is_of_copy, "changes {} again in a user's copy of its output"},
    {"unstable", is_of_stored, "changes {} again in what is stored already"},
    {"unstable", settles_later, "changes {} again when called again"},
    {"unstable", nullptr, "changes {} again at every call"},
    {"late", nullptr, "does not bring {} up to date when called again"},
    {"lost", is_whole, "replaces {} as a whole"},
    {"lost", is_lifted, "lifts the user's restriction {}"},
    {"lost", is_constant, "replaces the user's {} by a value of its own"},
    {"lost", replaces, "changes {}, which is not its own"},
    {"lost", is_own_mount, "removes the user's mount at its own path: {}"},
    {"lost", nullptr, "removes {}, which is not its own"},
    {"order", nullptr, "makes {} depend on the order of containers, webhooks or policies"},
    {"invalid", is_of_update, "is refused on UPDATE: it changes {}; register for CREATE only"},
    {"update-safe", is_of_update, "is refused on UPDATE: it changes {}; register for CREATE only"},
    {"invalid", nullptr, "writes {} so that the API server refuses the Pod"},
    {"nondeterministic", nullptr, "answers equal requests differently: {}"},
    {"race", nullptr, "mixes up requests that it answers at the same time: {}"},
    {"panic", is_of_stranger, "panics for one wrong object that no Pod names, {}"},
    {"panic", nullptr, "panics: {}"},
    {"fails-inside", is_misconfigured_crash, "crashes on every Pod while {} is wrong"},
    {"fails-inside", is_misconfigured, "refuses every Pod while {} is wrong"},
    {"fails-inside", is_of_stranger, "refuses all that comes to one wrong object, which no Pod names: {}"},
    {"fails-inside", is_by_design, "refuses with 500 what it names as wrong: {}"},
    {"fails-inside", nullptr, "refuses valid Pods with 500: {}"},
    {"answers", is_crash_on_invalid, "crashes on a Pod that no server takes: {}"},
    {"answers", is_crash, "crashes: {}"},
    {"protocol", is_crash, "crashes: {}"},
    {"refused-by-cluster", nullptr, "makes {}"},
    {"refused-by-judge", nullptr, "writes {}, which the cluster's judges refuse"},
    {"hidden-default", nullptr, "hides the default of {} by an empty value"},
    {"accepts-own-output", nullptr, "refuses its own output when it is called again"},
    {"applied-again", is_refused_later, "refuses its manifest when it is applied again: {}"},
    {"applied-again", nullptr, "changes {} when the same manifest is applied again"},
    {"applied-equals-stored", nullptr, "stores {} otherwise than it was sent"},
    {"old-objects-live", is_of_the_dying, "refuses the removal of a finalizer{}"},
    {"old-objects-live", nullptr, "changes {} of old objects, which a judge refuses"},
    {"explicit-kept", nullptr, "takes a 0 or false that was sent as {} for an absent one"},
    {"nothing-unknown", nullptr, "writes {}, which its kind does not have: the server drops it"},
    {"subresources", is_of_scale, "refuses to let its objects be scaled: {}"},
    {"subresources", is_refused_later, "refuses updates of the status: {}"},
    {"subresources", is_of_object, "writes {} in the object, where the server drops it"},
    {"subresources", nullptr, "writes {} in updates of the status, where the server drops it"},
    {"every-version", nullptr, "treats {} otherwise in another version of the same object"},
    {"numbers", nullptr, "reads integers as doubles: one beyond 2^53 comes back as another"},
    {"zeros", nullptr, "writes explicit zeros and nulls that were not there"},
    {"newer-fields", nullptr, "drops fields that are newer than its library"},
});

/// Returns ": SAID" of "… is refused by the webhook: SAID".
std::string said_to_the_dying(const std::string& reason) {
  const auto colon = reason.find(": ", reason.find(" is refused by "));
  return colon == std::string::npos ? std::string() : reason.substr(colon);
}

/// Returns "PodSecurity refuse the Pod: violates …".
std::string refusal_of(const Finding& finding) {
  constexpr std::string_view kRefuses = " refuses it: ";
  const std::string plugin(finding.evidence.value.text()), &reason = finding.evidence.reason;
  const auto at = reason.find(plugin + std::string(kRefuses));
  const std::string refuses = cases::said_of(finding.value.request, " refuse the Pod");
  if (at == std::string::npos) return "the cluster" + refuses;
  return plugin + refuses + ": " + reason.substr(at + plugin.size() + kRefuses.size());
}

/// Returns the text with long runs of one letter cut: names are drawn at their greatest length, too.
std::string with_short_runs(std::string_view text) {
  constexpr std::size_t kRunMax = 12, kKept = 4;
  std::string shorter;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find_first_not_of(text[at], at), text.size());
    const bool is_long = end - at > kRunMax && text[at] >= 'a' && text[at] <= 'z';
    shorter += text.substr(at, is_long ? kKept : end - at);
    if (is_long) shorter += "…";
    at = end;
  }
  return shorter;
}

void fill(std::string& text, std::string_view gap, const std::string& value) {
  if (const auto at = text.find(gap); at != std::string::npos) text.replace(at, gap.size(), value);
}

/// The sentence that lists print once for all problems of a webhook with the word in their causes, or the
/// symptom.
struct Line {
  const char* word;
  std::string_view text;
};
constexpr std::array kLines = std::to_array<Line>({
    {kUnguarded, "adds {} elements, and looks for none of them before"},
    {kByDesign, "refuses with 500 what is written or configured wrong: {} causes"},
    {kMisconfigured, "refuses with 500 what is written or configured wrong: {} causes"},
    {"explicit-kept", "takes a 0 or false that was sent for an absent one: {} members"},
});
}  // namespace

std::string crash_of(const Finding& finding) {
  std::string text(finding.evidence.value.text());
  if (!text.starts_with(webhooks::kProcessEnded)) text = finding.evidence.reason;
  const auto ended = text.find(webhooks::kProcessEnded);
  if (ended == std::string::npos) return {};
  const auto code = text.find('(', ended), end = text.find(')', ended);
  if (code == std::string::npos || end == std::string::npos) return {};
  text.erase(end, 1);
  return text.substr(code + 1);
}

bool is_replaced_whole(const Finding& finding) {
  return finding.property == "preserves-others" &&
         finding.evidence.reason.find(" is replaced as a whole: ") != std::string::npos;
}

bool is_refused_update(const Finding& finding) {
  if (finding.sequence) return false;
  const auto says = [&](const char* text) { return finding.evidence.reason.find(text) != std::string::npos; };
  const bool is_update = finding.value.request.is_update();
  // "field is immutable" of Kubernetes, "Value is immutable" and their like of a definition's rules.
  const bool is_kept = says("immutable") || says("updates to statefulset spec");
  return (is_update && says("pod updates may not")) ||
         (is_kept && (is_update || finding.property == "update-safe"));
}

/// Returns the place of the cause, in the list of containers that the finding is about: a cause is one in all
/// of them.
static std::string place_in_title(const Finding& finding, const Cause& cause) {
  std::string place = cause.place;
  constexpr std::string_view kAny = "containers[*]", kInit = "initContainers[";
  const auto at = place.find(kAny);
  const bool is_any = at != std::string::npos && (at == 0 || place[at - 1] == '.');
  if (is_any && finding.evidence.path.find(kInit) != std::string::npos)
    place.replace(at, kAny.size(), "initContainers[*]");
  return place;
}

std::string title_of(const Finding& finding, const Cause& cause) {
  const auto row = std::ranges::find_if(kTitles, [&](const Title& title) {
    return title.symptom == cause.symptom && (title.was_seen == nullptr || title.was_seen(finding, cause));
  });
  std::string text(row == kTitles.end() ? finding.evidence.reason : row->text);
  if (!finding.sequence) text = cases::said_of(finding.value.request, std::move(text));
  if (text.starts_with(finding.webhook + " ")) text.erase(0, finding.webhook.size() + 1);
  fill(text, "{}",
       is_misconfigured(finding, cause)        ? cause.place
       : is_refusal(finding, cause)            ? std::string(finding.evidence.value.text())
       : is_refused_later(finding, cause)      ? std::string(finding.evidence.value.text())
       : is_of_the_dying(finding, cause)       ? said_to_the_dying(finding.evidence.reason)
       : is_crash(finding, cause)              ? crash_of(finding)
       : cause.symptom == "refused-by-cluster" ? refusal_of(finding)
                                               : place_in_title(finding, cause));
  if (const std::string needed = only_if(cause); !needed.empty()) text += ", " + needed;
  return with_short_runs(text);
}

std::string line_of(const Cause& cause) {
  const auto row = std::ranges::find_if(
      kLines, [&](const Line& line) { return cause.symptom == line.word || has_word(cause, line.word); });
  if (row == kLines.end()) return {};
  const std::string needed = only_if(cause);
  return std::string(row->text) + (needed.empty() ? "" : ", " + needed);
}

int rank_of(const Finding& finding, const Cause& cause, bool grows) {
  constexpr int kFirst = 0, kGrows = 1, kAnyPod = 2, kRarePod = 3, kRefusal = 4;
  if (has_word(cause, kByDesign) || has_word(cause, kMisconfigured)) return kRefusal;
  if (has_word(cause, kOfStranger)) return kFirst;
  if (has_word(cause, kOnlyIf)) return kRarePod;
  // An object of somebody else that a reconciler deletes is gone.
  if (finding.sequence) return cause.change == "removes" && finding.verdict.empty() ? kFirst : kAnyPod;
  const int alone = grows ? kGrows : kAnyPod;
  if (!finding.value.neighbours) return alone;
  const auto members = std::ranges::count_if(finding.value.webhooks, [&](const auto& one) {
    return cases::webhook_ref(finding.value, one.first).is_subject;
  });
  return members > 1 ? kFirst : alone;
}

}  // namespace fixpoint::runner
