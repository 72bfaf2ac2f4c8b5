#include <array>
#include <limits>

#include "harness/apiserver/cel/functions.h"
#include "harness/apiserver/cel/meter.h"
#include "harness/document/utf8.h"

namespace fixpoint::apiserver::cel {

namespace {

using Arguments = std::span<const Datum>;

std::size_t character_length(std::string_view text, std::size_t at) {
  const std::size_t length = document::utf8_length(text, at);
  return length == 0 ? 1 : length;
}

/// The characters of a text; each byte that is none is one.
std::vector<std::string_view> characters_of(std::string_view text) {
  std::vector<std::string_view> all;
  spend_bytes(document::rune_count(text) * sizeof(std::string_view));
  for (std::size_t i = 0; i < text.size(); i += all.back().size()) {
    all.push_back(text.substr(i, character_length(text, i)));
  }
  return all;
}

/// Appends what may have been repeated often.
void append(std::string& text, std::string_view more) {
  spend_bytes(more.size());
  if (text.size() + more.size() > kValueBytesMax) spend_bytes(text.size() + more.size());
  text += more;
}

Datum out_of_range(std::int64_t index) {
  return Datum::error("index out of range: " + std::to_string(index));
}

std::string joined(std::span<const std::string_view> parts) {
  std::string text;
  for (std::string_view part : parts) text += part;
  return text;
}

Datum call_char_at(Arguments a, const CallContext&) {
  const auto all = characters_of(a[0].text());
  const std::int64_t index = a[1].integer();
  const auto size = static_cast<std::int64_t>(all.size());
  if (index < 0 || index > size) return out_of_range(index);
  return Datum::of(index == size ? std::string_view() : all[static_cast<std::size_t>(index)]);
}

bool matches_at(std::span<const std::string_view> text, std::span<const std::string_view> part,
                std::size_t at) {
  for (std::size_t i = 0; i < part.size(); ++i) {
    spend_step();
    if (at + i >= text.size() || text[at + i] != part[i]) return false;
  }
  return true;
}

Datum call_index_of(Arguments a, const CallContext&) {
  const std::int64_t offset = a.size() > 2 ? a[2].integer() : 0;
  if (a[1].text().empty()) return Datum::of(offset);
  const auto text = characters_of(a[0].text()), part = characters_of(a[1].text());
  if (offset < 0) return out_of_range(offset);
  for (auto i = static_cast<std::size_t>(offset); i + part.size() <= text.size(); ++i) {
    if (matches_at(text, part, i)) return Datum::of(static_cast<std::int64_t>(i));
  }
  return Datum::of(std::int64_t{-1});
}

Datum call_last_index_of(Arguments a, const CallContext&) {
  const auto text = characters_of(a[0].text()), part = characters_of(a[1].text());
  const auto size = static_cast<std::int64_t>(text.size());
  if (a[1].text().empty()) return Datum::of(a.size() > 2 ? a[2].integer() : size);
  if (a.size() == 2 && a[0].text().size() < a[1].text().size()) return Datum::of(std::int64_t{-1});
  std::int64_t at = a.size() > 2 ? a[2].integer() : size - 1;
  if (at < 0) return out_of_range(at);
  if (at >= size) return Datum::of(std::int64_t{-1});
  at = std::min(at, size - static_cast<std::int64_t>(part.size()));
  for (; at >= 0; --at) {
    if (matches_at(text, part, static_cast<std::size_t>(at))) return Datum::of(at);
  }
  return Datum::of(std::int64_t{-1});
}

Datum call_join(Arguments a, const CallContext&) {
  std::string text;
  for (std::size_t i = 0; i < a[0].size(); ++i) {
    const Datum element = a[0].element(i);
    if (!element.is(Kind::text)) return Datum::error("join: invalid input: " + message_text(element));
    if (i > 0 && a.size() > 1) append(text, a[1].text());
    append(text, element.text());
  }
  return Datum::of(text);
}

template <char kFrom, char kTo, int kShift>
Datum call_change_case(Arguments a, const CallContext&) {
  std::string text(a[0].text());
  for (char& c : text) {
    if (c >= kFrom && c <= kTo) c = static_cast<char>(c + kShift);
  }
  return Datum::of(text);
}

/// As Go's strings.Replace: a negative limit is none, and nothing is found before each character and at the
/// end.
Datum call_replace(Arguments a, const CallContext&) {
  const std::string_view text = a[0].text(), old = a[1].text(), with = a[2].text();
  std::int64_t left = a.size() > 3 ? a[3].integer() : -1;
  if (left < 0) left = std::numeric_limits<std::int64_t>::max();
  std::string result;
  std::size_t at = 0;
  if (old.empty()) {
    while (left > 0) {
      append(result, with);
      --left;
      if (at >= text.size()) return Datum::of(result);
      const std::size_t length = character_length(text, at);
      result += text.substr(at, length);
      at += length;
    }
    return Datum::of(result.append(text.substr(at)));
  }
  for (; left > 0; --left) {
    const std::size_t found = text.find(old, at);
    if (found == std::string_view::npos) break;
    append(result, text.substr(at, found - at));
    append(result, with);
    at = found + old.size();
  }
  return Datum::of(result.append(text.substr(at)));
}

/// As Go's strings.SplitN: 0 gives nothing, a negative limit is none.
Datum call_split(Arguments a, const CallContext&) {
  const std::string_view text = a[0].text(), separator = a[1].text();
  const std::int64_t limit = a.size() > 2 ? a[2].integer() : -1;
  std::vector<Datum> parts;
  if (limit == 0) return Datum::of(std::move(parts));
  const auto is_full = [&] { return limit > 0 && static_cast<std::int64_t>(parts.size()) == limit - 1; };
  std::size_t at = 0;
  if (separator.empty()) {
    while (at < text.size() && !is_full()) {
      const std::size_t length = character_length(text, at);
      parts.push_back(Datum::of(text.substr(at, length)));
      at += length;
    }
    if (at < text.size()) parts.push_back(Datum::of(text.substr(at)));
    return Datum::of(std::move(parts));
  }
  while (!is_full()) {
    const std::size_t found = text.find(separator, at);
    if (found == std::string_view::npos) break;
    parts.push_back(Datum::of(text.substr(at, found - at)));
    at = found + separator.size();
  }
  parts.push_back(Datum::of(text.substr(at)));
  return Datum::of(std::move(parts));
}

Datum call_substring(Arguments a, const CallContext&) {
  const auto all = characters_of(a[0].text());
  const auto size = static_cast<std::int64_t>(all.size());
  const std::int64_t start = a[1].integer(), end = a.size() > 2 ? a[2].integer() : size;
  if (a.size() > 2 && start > end) {
    return Datum::error("invalid substring range. start: " + std::to_string(start) +
                        ", end: " + std::to_string(end));
  }
  if (start < 0 || start > size) return out_of_range(start);
  if (end < 0 || end > size) return out_of_range(end);
  const std::span<const std::string_view> characters = all;
  return Datum::of(
      joined(characters.subspan(static_cast<std::size_t>(start), static_cast<std::size_t>(end - start))));
}

/// The characters that Go's unicode.IsSpace knows.
bool is_space(std::string_view character) {
  constexpr std::array<std::string_view, 25> kSpaces = {
      "\t",     "\n",     "\v",     "\f",     "\r",     " ",      "\u0085", "\u00A0", "\u1680",
      "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006", "\u2007", "\u2008",
      "\u2009", "\u200A", "\u2028", "\u2029", "\u202F", "\u205F", "\u3000"};
  for (std::string_view space : kSpaces) {
    if (character == space) return true;
  }
  return false;
}

Datum call_trim(Arguments a, const CallContext&) {
  const auto all = characters_of(a[0].text());
  std::size_t start = 0, end = all.size();
  while (start < end && is_space(all[start])) ++start;
  while (end > start && is_space(all[end - 1])) --end;
  return Datum::of(joined(std::span(all).subspan(start, end - start)));
}

Datum call_quote(Arguments a, const CallContext&) {
  std::string text = "\"";
  for (std::string_view character : characters_of(a[0].text())) {
    constexpr std::string_view kValues = "\a\b\f\n\r\t\v\\\"", kNames = "abfnrtv\\\"";
    const std::size_t at = character.size() == 1 ? kValues.find(character[0]) : std::string_view::npos;
    if (at != std::string_view::npos) {
      text += '\\';
      text += kNames[at];
    } else if (character.size() == 1 && static_cast<unsigned char>(character[0]) >= 0x80) {
      document::append_utf8(text, document::kReplacement);
    } else {
      text += character;
    }
  }
  return Datum::of(text + "\"");
}

Datum call_escape_key(Arguments a, const CallContext&) {
  std::string text;
  for (char c : a[0].text()) {
    if (c == '/') {
      text += "~1";
    } else if (c == '~') {
      text += "~0";
    } else {
      text += c;
    }
  }
  return Datum::of(text);
}

constexpr std::array kStringBindings = {
    Binding{"string_char_at_int", call_char_at},
    Binding{"string_index_of_string", call_index_of},
    Binding{"string_index_of_string_int", call_index_of},
    Binding{"string_last_index_of_string", call_last_index_of},
    Binding{"string_last_index_of_string_int", call_last_index_of},
    Binding{"list_join", call_join},
    Binding{"list_join_string", call_join},
    Binding{"string_lower_ascii", call_change_case<'A', 'Z', 'a' - 'A'>},
    Binding{"string_upper_ascii", call_change_case<'a', 'z', 'A' - 'a'>},
    Binding{"string_replace_string_string", call_replace},
    Binding{"string_replace_string_string_int", call_replace},
    Binding{"string_split_string", call_split},
    Binding{"string_split_string_int", call_split},
    Binding{"string_substring_int", call_substring},
    Binding{"string_substring_int_int", call_substring},
    Binding{"string_trim", call_trim},
    Binding{"strings_quote", call_quote},
    Binding{"string_jsonpatch_escapeKey_string", call_escape_key},
};

}  // namespace

std::span<const Binding> string_bindings() { return kStringBindings; }

}  // namespace fixpoint::apiserver::cel
