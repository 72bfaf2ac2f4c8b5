#include "injectors/kserve/regexp.h"

#include <re2/re2.h>

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace fixpoint::injectors::kserve {

namespace {

/// Returns the expression in the syntax of the C++ library RE2, which has only one spelling for named groups
/// and accepts `\C`; nothing if Go refuses the expression.
std::optional<std::string> spelled_for_re2(std::string_view expression) {
  std::string out;
  bool is_quoted = false, is_class = false;
  for (std::size_t i = 0; i < expression.size(); ++i) {
    const std::string_view rest = expression.substr(i);
    if (is_quoted) {
      is_quoted = !rest.starts_with("\\E");
    } else if (rest.starts_with('\\') && rest.size() > 1) {
      if (rest[1] == 'C') return std::nullopt;
      is_quoted = rest[1] == 'Q' && !is_class;
      out.append(rest.substr(0, 2));
      ++i;
      continue;
    } else if (is_class) {
      is_class = rest.front() != ']';
    } else if (rest.starts_with('[')) {
      const std::size_t open = rest.starts_with("[^") ? 2 : 1;
      const std::size_t taken = open + (rest.substr(open).starts_with(']') ? 1 : 0);  // `]` in `[]a]`
      out.append(rest.substr(0, taken));
      i += taken - 1;
      is_class = true;
      continue;
    } else if (rest.starts_with("(?<") && !rest.starts_with("(?<=") && !rest.starts_with("(?<!")) {
      out += "(?P";
      ++i;
      continue;
    }
    out += expression[i];
  }
  return out;
}

/// Returns the compiled expression. Each thread compiles an expression once, because a cluster has few.
const re2::RE2& compiled(std::string_view expression) {
  constexpr std::size_t kKnownMax = 256;
  static thread_local std::map<std::string, std::unique_ptr<re2::RE2>, std::less<>> known;
  if (const auto found = known.find(expression); found != known.end()) return *found->second;
  if (known.size() == kKnownMax) known.clear();
  re2::RE2::Options options;
  options.set_log_errors(false);
  auto program = std::make_unique<re2::RE2>(spelled_for_re2(expression).value_or("\\"), options);
  return *known.emplace(expression, std::move(program)).first->second;
}

}  // namespace

document::Result<bool> matches(std::string_view expression, std::string_view text) {
  const re2::RE2& program = compiled(expression);
  if (!program.ok()) return document::Error{"error parsing regexp: " + program.error()};
  if (program.CapturingGroupNames().size() != program.NamedCapturingGroups().size())
    return document::Error{"error parsing regexp: duplicate group name"};
  return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), program);
}

}  // namespace fixpoint::injectors::kserve
