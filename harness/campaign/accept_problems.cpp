#include "harness/campaign/accept_problems.h"

#include <algorithm>

#include "harness/document/json.h"
#include "harness/document/yaml.h"

namespace fixpoint::campaign {

namespace {

using document::Error;
using document::Result;
using document::Value;

std::string quoted(const std::string& text) { return document::write_json(Value(text)); }

std::string quoted(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + quoted(text);
  return "[" + list + "]";
}

std::string entry_of(const cases::Problem& problem, const Acceptance& acceptance, const std::string& indent) {
  std::string out = indent + "- problem: " + quoted(problem.id) + "\n";
  const auto put = [&](const char* member, const std::string& value) {
    out += indent + "  " + member + ": " + value + "\n";
  };
  put("ids", quoted(problem.ids));
  put("fingerprints", quoted(problem.findings));
  put("part", quoted(problem.part));
  if (const auto& repair = problem.repair)
    put("repair", "{kind: " + quoted(repair->kind) + ", operation: " + quoted(repair->operation) + "}");
  put("reason", quoted(acceptance.reason));
  put("until", quoted(acceptance.until));
  put("case", quoted(finding_file_of(problem)));
  if (!acceptance.owner.empty()) put("owner", quoted(acceptance.owner));
  if (!acceptance.ticket.empty()) put("ticket", quoted(acceptance.ticket));
  return out;
}

/// Returns the indentation of the first entry of the list that begins at `from`.
Result<std::string> indent_behind(const std::string& text, std::size_t from) {
  while (from < text.size()) {
    const auto end = std::min(text.find('\n', from), text.size());
    const auto begin = text.find_first_not_of(" \r", from);
    if (begin >= end || text[begin] == '#') {
      from = end + 1;
      continue;
    }
    if (text[begin] == '-') return text.substr(from, begin - from);
    break;
  }
  return Error{"expected a list with an entry a line, as `- problem: …`", "/accepted"};
}

std::size_t size_of_list(const Value& policy) { return policy["accepted"].size(); }

}  // namespace

std::string finding_file_of(const cases::Problem& problem) { return "accepted/" + problem.id + ".json"; }

Result<std::string> with_accepted(std::string text, const std::vector<cases::Problem>& problems,
                                  const Acceptance& acceptance) {
  constexpr std::string_view kKey = "accepted:";
  const auto before = document::read_yaml(text);
  if (!before) return before.error();
  if (!text.empty() && text.back() != '\n') text += '\n';
  std::size_t at = text.starts_with(kKey) ? 0 : text.find("\naccepted:");
  std::string indent = "  ";
  if (at == std::string::npos) {
    text += "accepted:\n";
    at = text.size();
  } else {
    at = text.find('\n', at + 1) + 1;
    auto found = indent_behind(text, at);
    if (!found) return std::move(found).error();
    indent = *std::move(found);
  }
  std::string entries;
  for (const cases::Problem& problem : problems) entries += entry_of(problem, acceptance, indent);
  text.insert(at, entries);
  const auto after = document::read_yaml(text);
  if (!after || size_of_list(*after) != size_of_list(*before) + problems.size())
    return Error{"expected a list with an entry a line, as `- problem: …`", "/accepted"};
  return text;
}

}  // namespace fixpoint::campaign
