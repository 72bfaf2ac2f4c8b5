#include "harness/cases/recorded_texts.h"

#include <algorithm>

namespace fixpoint::cases {

namespace {

constexpr ExcusedText kExcused[] = {
    {"Invalid value: \"scheduler.alpha.kubernetes.io/tolerations\": ",
     "what Go's JSON decoder says of a broken list in an annotation"},
    {"invalid character '", "what Go's JSON decoder says of a patch that is no JSON"},
    {"' resulted in error: ", "what CEL says of a match condition that fails", true},
    {"must evaluate to bool but got ", "what CEL says of a match condition of another type", true},
    {"{\"Volumes\":", "a template of Pods that may not change, as Go prints its internal type"},
    {"a *v1.", "the recorder's own words for an object of another kind"},
};

}  // namespace

std::span<const ExcusedText> excused_texts() { return kExcused; }

bool agrees_with_recorded(std::string_view recorded, std::string_view found) {
  if (recorded.empty() || recorded == found.substr(0, found.find('\n'))) return true;
  return std::any_of(std::begin(kExcused), std::end(kExcused), [&](const ExcusedText& row) {
    const auto place = recorded.find(row.part);
    if (place == std::string_view::npos) return false;
    return !row.is_behind || found.starts_with(recorded.substr(0, place + row.part.size()));
  });
}

bool is_cut_short(std::string_view message) {
  constexpr std::string_view kHead = "Internal error occurred: failed calling webhook \"";
  return message.starts_with(kHead) && message.find('"', kHead.size()) + 1 == message.size();
}

}  // namespace fixpoint::cases
