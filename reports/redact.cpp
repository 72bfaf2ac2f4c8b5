#include "reports/redact.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "harness/document/check.h"

namespace fixpoint::reports {

using document::Member;
using document::Value;

namespace {

constexpr std::array<std::string_view, 17> kTellingWords{"passw",
                                                         "secret",
                                                         "token",
                                                         "credential",
                                                         "apikey",
                                                         "accesskey",
                                                         "privatekey",
                                                         "auth",
                                                         "passphrase",
                                                         "pwd",
                                                         "dsn",
                                                         "connectionstring",
                                                         "cookie",
                                                         "session",
                                                         "signature",
                                                         "bearer",
                                                         "lastappliedconfiguration"};
constexpr std::array<std::string_view, 6> kTellingBeginnings{"-----BEGIN ", "Bearer ", "Basic ",
                                                             "eyJ",         "AKIA",    "ghp_"};
constexpr std::size_t kRandomRun = 20;      ///< letters and digits without a word's look
constexpr std::size_t kShortestSought = 4;  ///< shorter secrets are hidden where they stand only

std::string letters_of(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

/// scheme://user:password@host
bool has_password(std::string_view text) {
  const auto scheme = text.find("://");
  if (scheme == std::string_view::npos) return false;
  const auto host = text.substr(scheme + 3, text.find_first_of("/?#", scheme + 3) - scheme - 3);
  const auto at = host.find('@');
  return at != std::string_view::npos && host.substr(0, at).find(':') != std::string_view::npos;
}

/// Digits, capitals and small letters in one run: keys, hashes and base64 look so, words do not.
bool has_random_run(std::string_view text) {
  std::size_t run = 0, digits = 0, capitals = 0, small = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) == 0 && c != '+' && c != '=') {
      run = digits = capitals = small = 0;
      continue;
    }
    ++run;
    digits += std::isdigit(byte) != 0 ? 1 : 0;
    capitals += std::isupper(byte) != 0 ? 1 : 0;
    small += std::islower(byte) != 0 ? 1 : 0;
    const bool mixed = digits >= 3 && (capitals > 0 || small > 0);
    if (run >= kRandomRun && mixed) return true;
  }
  return false;
}

/// What injectors look at and nobody hides: truth values, numbers, references to other variables.
bool is_plain(std::string_view text) {
  if (text.empty() || text == "true" || text == "false" || text == kHidden) return true;
  if (text.find("$(") != std::string_view::npos) return true;
  return text.size() <= 10 && text.find_first_not_of("0123456789.-") == std::string_view::npos;
}

/// Walks a document, hides what may be secret, and remembers what it hid.
class Hider {
 public:
  Value hide(const Value& value, std::string_view name = "") {
    if (value.is_array()) return hide_list(value, name);
    if (value.is_string()) visible_.insert(std::string(value.text()));
    if (!value.is_object()) return value;
    const bool is_pair = value["name"].is_string() && value["value"].is_string();
    const bool is_secret = value["kind"].text() == "Secret";
    std::vector<Member> members;
    for (const auto& [key, member] : value.members()) {
      const bool is_data = is_secret && (key.text() == "data" || key.text() == "stringData");
      if (key.text() == "annotations" || is_data) {
        members.push_back({key, hide_map(member, is_data)});
      } else if (is_pair && key.text() == "value") {
        members.push_back({key, is_plain(member.text()) ? member : hidden(member.text())});
      } else if (key.text() == "value" && value["path"].is_string()) {
        members.push_back({key, hide_patched(member, value["path"].text())});
      } else {
        members.push_back({key, hide(member, key.text())});
      }
    }
    return members;
  }

  /// A text in which all that was hidden elsewhere is hidden, too.
  std::string hide_in(std::string text) const {
    for (auto secret = secrets_.rbegin(); secret != secrets_.rend(); ++secret) {
      if (visible_.contains(*secret) || (secret->size() < kShortestSought && text != *secret)) continue;
      for (auto at = text.find(*secret); at != std::string::npos;
           at = text.find(*secret, at + kHidden.size()))
        text.replace(at, secret->size(), kHidden);
    }
    return text;
  }
  Value hide_in(const Value& value) const {
    if (value.is_string()) return hide_in(std::string(value.text()));
    if (value.is_array()) {
      std::vector<Value> out;
      for (const Value& each : value.elements()) out.push_back(hide_in(each));
      return out;
    }
    if (!value.is_object()) return value;
    std::vector<Member> out;
    for (const auto& [key, member] : value.members())
      out.push_back({hide_in(std::string(key.text())), hide_in(member)});
    return out;
  }
  void add(std::string_view secret) { secrets_.insert(std::string(secret)); }

 private:
  Value hidden(std::string_view text) {
    add(text);
    return kHidden;
  }

  Value hide_text(const Value& value, std::string_view name) {
    if (!value.is_string() || value.text().empty()) return value;
    return names_a_secret(name) || looks_secret(value.text()) ? hidden(value.text()) : value;
  }

  Value hide_map(const Value& map, bool whole) {
    if (!map.is_object()) return map;
    std::vector<Member> members;
    for (const auto& [key, value] : map.members())
      members.push_back(
          {key, whole && value.is_string() ? hidden(value.text()) : hide_text(value, key.text())});
    return members;
  }

  /// `--password=x` and what looks like a secret anyway.
  Value hide_argument(const Value& argument) {
    const std::string_view text = argument.text();
    const auto equals = text.find('=');
    if (equals != std::string_view::npos && names_a_secret(text.substr(0, equals)) &&
        equals + 1 < text.size()) {
      add(text.substr(equals + 1));
      return std::string(text.substr(0, equals + 1)).append(kHidden);
    }
    return looks_secret(text) ? hidden(text) : argument;
  }

  Value hide_list(const Value& list, std::string_view name) {
    std::vector<Value> out;
    const bool is_line = name == "args" || name == "command";
    for (const Value& each : list.elements())
      out.push_back(is_line && each.is_string() ? hide_argument(each) : hide(each, name));
    return out;
  }

  /// The value of an operation of a JSON Patch: what it is, its path tells.
  Value hide_patched(const Value& value, std::string_view path) {
    if (path.ends_with("/annotations")) return hide_map(value, false);
    if (!value.is_string()) return hide(value, path.substr(path.rfind('/') + 1));
    const bool is_env = path.find("/env/") != std::string_view::npos && path.ends_with("/value");
    if (is_env) return is_plain(value.text()) ? value : hidden(value.text());
    if (path.find("/annotations/") != std::string_view::npos)
      return hide_text(value, path.substr(path.rfind('/') + 1));
    return looks_secret(value.text()) ? hidden(value.text()) : value;
  }

  /// Longer ones are sought first: a secret may be a part of another.
  struct ByLength {
    bool operator()(const std::string& a, const std::string& b) const {
      return a.size() != b.size() ? a.size() < b.size() : a < b;
    }
  };
  std::set<std::string, ByLength> secrets_;
  std::set<std::string> visible_;  ///< what stands elsewhere as a name or an image is no secret
};

void hide_rows(std::vector<std::string>& texts, const Hider& hider) {
  for (std::string& text : texts) text = hider.hide_in(std::move(text));
}

cases::Finding hide_finding(const cases::Finding& finding, Hider& hider) {
  Value document = cases::write_finding(finding);
  document.set("case", hider.hide(document["case"]));
  // Names stay what they are: only values were collected, and only of these fields are they looked for.
  cases::Finding out = finding;
  const Value pair{{"name", finding.evidence.path}, {"value", finding.evidence.value}};
  const bool is_of_env =
      finding.evidence.path.ends_with(".value") && finding.evidence.path.find("env[") != std::string::npos;
  if (is_of_env && finding.evidence.value.is_string()) hider.hide(pair);
  const auto read = cases::read_finding(document);
  document::check(read.ok(), "a redacted finding reads back");
  out = *read;
  if (!out.evidence.value.is_string()) out.evidence.value = hider.hide(out.evidence.value);
  out.evidence.value = hider.hide_in(out.evidence.value);
  out.evidence.because = hider.hide_in(std::move(out.evidence.because));
  for (cases::StoryCall& call : out.evidence.calls) {
    hide_rows(call.did, hider);
    hide_rows(call.again, hider);
  }
  return out;
}

}  // namespace

bool names_a_secret(std::string_view name) {
  const std::string letters = letters_of(name);
  return std::any_of(kTellingWords.begin(), kTellingWords.end(),
                     [&](std::string_view word) { return letters.find(word) != std::string::npos; });
}

bool looks_secret(std::string_view text) {
  for (const std::string_view beginning : kTellingBeginnings) {
    if (text.find(beginning) != std::string_view::npos) return true;
  }
  return has_password(text) || has_random_run(text);
}

Value redacted(const Value& document) { return Hider().hide(document); }

cases::Finding redacted(const cases::Finding& finding) {
  Hider hider;
  return hide_finding(finding, hider);
}

RunRecord redacted(RunRecord record) {
  for (RecordedFinding& each : record.findings) {
    Hider hider;
    each.finding = hide_finding(each.finding, hider);
    for (Hop& hop : each.hops) {
      for (DiffLine& line : hop.lines) {
        line.before = hider.hide_in(std::move(line.before));
        line.after = hider.hide_in(std::move(line.after));
      }
    }
  }
  for (RetryAnswer& retry : record.retries) retry.finding = redacted(retry.finding);
  for (cases::Finding& note : record.notes) note = redacted(note);
  return record;
}

}  // namespace fixpoint::reports
