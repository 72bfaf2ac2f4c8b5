#include <algorithm>
#include <string>

#include "harness/document/json.h"

namespace fixpoint::document {

namespace {

constexpr char kHex[] = "0123456789abcdef";

void append_escape(std::string& out, unsigned char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\b':
      out += "\\b";
      return;
    case '\f':
      out += "\\f";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      out += "\\u00";
      out += kHex[c >> 4];
      out += kHex[c & 15];
  }
}

/// Returns true if a line or paragraph separator (U+2028, U+2029) begins at `i`.
bool is_separator(std::string_view text, std::size_t i) {
  return text.size() - i >= 3 && text[i] == '\xE2' && text[i + 1] == '\x80' &&
         (text[i + 2] == '\xA8' || text[i + 2] == '\xA9');
}

template <bool kGo>
void append_string(std::string& out, std::string_view text) {
  out += '"';
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool special = c < 0x20 || c == '"' || c == '\\';
    const bool go_special = kGo && (c == '<' || c == '>' || c == '&' || (c == 0xE2 && is_separator(text, i)));
    if (!special && !go_special) continue;
    out.append(text, begin, i - begin);
    if (c == 0xE2) {
      out += text[i + 2] == '\xA8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      append_escape(out, c);
    }
    begin = i + 1;
  }
  out.append(text, begin);
  out += '"';
}

/// Appends a string's own spelling as Go's compaction leaves it: only `<`, `>`, `&` and the separators are
/// escaped.
void append_spelling(std::string& out, std::string_view spelling) {
  for (std::size_t i = 0; i < spelling.size(); ++i) {
    const auto c = static_cast<unsigned char>(spelling[i]);
    if (c == '<' || c == '>' || c == '&') {
      append_escape(out, c);
    } else if (c == 0xE2 && is_separator(spelling, i)) {
      out += spelling[i + 2] == '\xA8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      out += spelling[i];
    }
  }
}

template <bool kGo>
void append(std::string& out, const Value& value) {
  switch (value.kind()) {
    case Kind::null:
      out += "null";
      return;
    case Kind::boolean:
      out += value.is_true() ? "true" : "false";
      return;
    case Kind::number:
      out += value.text();
      return;
    case Kind::string:
      if (value.spelling().empty()) {
        append_string<kGo>(out, value.text());
      } else if (kGo) {
        append_spelling(out, value.spelling());
      } else {
        out += value.spelling();
      }
      return;
    case Kind::array: {
      out += '[';
      bool first = true;
      for (const Value& element : value.elements()) {
        if (!std::exchange(first, false)) out += ',';
        append<kGo>(out, element);
      }
      out += ']';
      return;
    }
    case Kind::object:
      break;
  }
  out += '{';
  bool first = true;
  for (const Member& member : value.members()) {
    if (!std::exchange(first, false)) out += ',';
    append_string<kGo>(out, member.key.text());
    out += ':';
    append<kGo>(out, member.value);
  }
  out += '}';
}

void append_pretty(std::string& out, const Value& value, std::size_t indent) {
  if (value.empty()) return append<false>(out, value);
  const bool is_array = value.is_array();
  out += is_array ? "[" : "{";
  bool first = true;
  const auto begin_line = [&] {
    if (!std::exchange(first, false)) out += ',';
    out += '\n';
    out.append(indent + 2, ' ');
  };
  for (const Value& element : value.elements()) {
    begin_line();
    append_pretty(out, element, indent + 2);
  }
  for (const Member& member : value.members()) {
    begin_line();
    append_string<false>(out, member.key.text());
    out += ": ";
    append_pretty(out, member.value, indent + 2);
  }
  out += '\n';
  out.append(indent, ' ');
  out += is_array ? ']' : '}';
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) { append_string<false>(out, text); }
void append_go_json_string(std::string& out, std::string_view text) { append_string<true>(out, text); }

std::string write_json(const Value& value) {
  std::string out;
  append<false>(out, value);
  return out;
}

std::string write_go_json(const Value& value) {
  std::string out;
  append<true>(out, value);
  return out;
}

std::string write_json_pretty(const Value& value) {
  std::string out;
  append_pretty(out, value, 0);
  out += '\n';
  return out;
}

namespace {

bool is_before(const Member& a, const Member& b) { return a.key.text() < b.key.text(); }

/// Sorts the members by name; duplicates keep their order.
Value with_sorted_members(const Value& object) {
  std::vector<const Member*> order;
  order.reserve(object.size());
  for (const Member& member : object.members()) order.push_back(&member);
  // Not std::stable_sort: libstdc++ implements it with a function that C++17 deprecates. The address breaks
  // ties instead.
  std::sort(order.begin(), order.end(), [](const Member* a, const Member* b) {
    return is_before(*a, *b) || (!is_before(*b, *a) && a < b);
  });
  std::vector<Member> members;
  members.reserve(order.size());
  for (const Member* member : order) members.push_back(*member);
  return members;
}

/// Applies `change` to every element or member value; unchanged ones stay shared.
template <class Change>
Value with_each(const Value& value, Change change) {
  Value result = value;
  for (std::size_t i = 0; i < value.elements().size(); ++i) {
    Value element = change(value.elements()[i]);
    if (!element.same(value.elements()[i])) result.edit(i) = std::move(element);
  }
  for (std::size_t i = 0; i < value.members().size(); ++i) {
    Value member = change(value.members()[i].value);
    if (!member.same(value.members()[i].value)) result.edit_members()[i].value = std::move(member);
  }
  return result;
}

}  // namespace

Value sorted(const Value& value) {
  const auto members = value.members();
  const bool is_sorted = std::is_sorted(members.begin(), members.end(), is_before);
  return with_each(is_sorted ? value : with_sorted_members(value), sorted);
}

Value without_spellings(const Value& value) {
  return value.spelling().empty() ? with_each(value, without_spellings) : Value(value.text());
}

}  // namespace fixpoint::document
