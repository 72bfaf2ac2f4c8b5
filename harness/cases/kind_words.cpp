#include "harness/cases/kind_words.h"

#include <array>
#include <cctype>
#include <string_view>
#include <utility>

namespace fixpoint::cases {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kWords{
    {{"a Pod", "an object"}, {"A Pod", "An object"}, {"Pods", "objects"}, {"Pod", "object"}}};

bool is_in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

}  // namespace

std::string said_of(const Request& request, std::string sentence) {
  const std::string_view kind = request.object["kind"].text();
  if (kind.empty() || (kind == "Pod" && request.object["apiVersion"].text() == "v1")) return sentence;
  for (const auto& [of_pods, of_any] : kWords) {
    for (auto at = sentence.find(of_pods); at != std::string::npos;
         at = sentence.find(of_pods, at + of_any.size())) {
      const auto end = at + of_pods.size();
      if (at > 0 && is_in_word(sentence[at - 1])) continue;
      if (end < sentence.size() && is_in_word(sentence[end])) continue;
      sentence.replace(at, of_pods.size(), of_any);
    }
  }
  return sentence;
}

}  // namespace fixpoint::cases
