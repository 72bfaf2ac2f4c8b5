#include "harness/runner/learning/wanted_values.h"

#include <algorithm>
#include <array>
#include <string>

#include "harness/document/lower_case.h"

namespace fixpoint::runner {

namespace {

/// Words of messages, in lower case, as the usual libraries of Go, Python, Java and JavaScript write them,
/// and values that those libraries accept.
struct Kind {
  std::array<std::string_view, 6> words;
  std::array<std::string_view, 2> values;
};
// A message about JSON may mention numbers, one about durations units: those come first.
constexpr auto kKinds = std::to_array<Kind>({
    {{"json", "top-level value", "beginning of value"}, {"[]", "{}"}},
    {{"yaml"}, {"{}", "[]"}},
    {{"duration"}, {"30s", "5m"}},
    {{"quantity", "quantities", "resource format"}, {"64Mi", "100m"}},
    {{"parsebool", "boolean", "to bool", "as bool", "a bool", "true or false"}, {"true", "false"}},
    {{"cidr"}, {"10.0.0.0/24", "10.0.1.0/24"}},
    {{"ip address", "parseaddr", "ipv4"}, {"10.0.0.1", "10.0.0.2"}},
    {{"invalid uri", "invalid url", "parse url", "a url"}, {"https://example.com/", "http://example.com/a"}},
    {{"parsefloat", "to float", "a float"}, {"0.5", "1"}},
    {{"atoi", "parseint", "parseuint", "integer", " int()", "number"}, {"1", "8080"}},
});

}  // namespace

std::span<const std::string_view> wanted_values(std::string_view message) {
  const std::string text = document::lower_case(message);
  for (const Kind& kind : kKinds) {
    const bool is_said = std::any_of(kind.words.begin(), kind.words.end(), [&](std::string_view word) {
      return !word.empty() && text.find(word) != std::string::npos;
    });
    if (is_said) return kind.values;
  }
  return {};
}

}  // namespace fixpoint::runner
