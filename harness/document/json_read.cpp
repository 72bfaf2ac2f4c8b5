#include <optional>
#include <string>
#include <utility>

#include "harness/document/json.h"
#include "harness/document/pointer.h"
#include "harness/document/utf8.h"

namespace fixpoint::document {

namespace {

/// The text of a document, and the place that was read last. Every step returns false or nothing after an
/// error, the first of which is kept.
class JsonText {
 public:
  JsonText(std::string_view text, std::size_t offset, Strictness strictness)
      : text_(text), at_(offset), strictness_(strictness) {}

  std::size_t offset() const { return at_; }
  bool at_end() const { return at_ == text_.size(); }
  char next() const { return at_end() ? '\0' : text_[at_]; }
  void skip() { ++at_; }
  void skip_blanks() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }
  const Error& error() const { return problem_; }

  std::nullopt_t fail(std::string message) {
    if (!problem_.message.empty()) return std::nullopt;
    std::size_t line = 1, column = 1;
    for (std::size_t i = 0; i < at_ && i < text_.size(); ++i) {
      column = text_[i] == '\n' ? 1 : column + 1;
      line += text_[i] == '\n' ? 1u : 0u;
    }
    problem_.message = std::move(message);
    problem_.place = "line " + std::to_string(line) + ", column " + std::to_string(column);
    return std::nullopt;
  }

  /// Called while an error unwinds: prepends one token to its pointer.
  void path_in(std::string_view token) {
    const auto cut = problem_.place.find(", at ");
    const std::string inner = cut == std::string::npos ? "" : problem_.place.substr(cut + 5);
    problem_.place = problem_.place.substr(0, cut) + ", at /" + escape_token(token) + inner;
  }

  bool digits() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
    return at_ > begin;
  }

  bool accept(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::optional<Value> number() {
    const std::size_t begin = at_;
    accept('-');
    if (!accept('0') && !digits()) {
      at_ = begin;
      return fail("expected a JSON value");
    }
    if (accept('.') && !digits()) return fail("expected a digit after the decimal point");
    if (accept('e') || accept('E')) {
      if (!accept('+')) accept('-');
      if (!digits()) return fail("expected a digit in the exponent");
    }
    return Value::number(text_.substr(begin, at_ - begin));
  }

  std::optional<Value> string_value() {
    const std::size_t begin = at_;
    unusual_ = false;
    const auto content = string();
    if (!content) return std::nullopt;
    if (!unusual_) return Value(*content);
    const std::string_view spelling = text_.substr(begin, at_ - begin);
    std::string usual;
    append_go_json_string(usual, *content);
    return usual == spelling ? Value(*content) : Value::spelled(*content, spelling);
  }

  /// The content of the string that begins here: a view of the text if it has no escapes, else of `buffer_`.
  std::optional<std::string_view> string() {
    const std::size_t begin = ++at_;
    for (; at_ < text_.size(); ++at_) {
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c == '"') return text_.substr(begin, at_++ - begin);
      if (c == '\\' || c >= 0x80 || c < 0x20) break;
      if (c == '<' || c == '>' || c == '&') unusual_ = true;
    }
    unusual_ = true;
    buffer_.assign(text_, begin, at_ - begin);
    while (at_ < text_.size()) {
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c == '"') {
        ++at_;
        return std::string_view(buffer_);
      }
      if (c < 0x20) return fail("a control character in a string");
      if (c == '\\') {
        if (!escape()) return std::nullopt;
      } else if (c < 0x80) {
        buffer_ += text_[at_++];
      } else if (const std::size_t length = utf8_length(text_, at_); length > 0) {
        buffer_.append(text_, at_, length);
        at_ += length;
      } else if (strictness_ == Strictness::ours) {
        return fail("invalid UTF-8 in a string");
      } else {
        append_utf8(buffer_, kReplacement);
        ++at_;
      }
    }
    return fail("expected the end of the string");
  }

  std::optional<Value> literal(std::string_view word, Value meaning) {
    if (text_.substr(at_, word.size()) != word) return fail("expected a JSON value");
    at_ += word.size();
    return meaning;
  }

 private:
  bool escape() {
    static constexpr std::string_view kFrom = "\"\\/bfnrt", kTo = "\"\\/\b\f\n\r\t";
    const char c = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    if (const auto i = kFrom.find(c); i != std::string_view::npos && c != '\0') {
      buffer_ += kTo[i];
      at_ += 2;
      return true;
    }
    const auto first = unit(at_);
    if (!first) {
      fail("unknown escape in a string");
      return false;
    }
    at_ += 6;
    if (*first < 0xD800 || *first > 0xDFFF) {
      append_utf8(buffer_, *first);
      return true;
    }
    const auto second = *first < 0xDC00 ? unit(at_) : std::nullopt;
    if (second && *second >= 0xDC00 && *second <= 0xDFFF) {
      append_utf8(buffer_, 0x10000 + ((*first - 0xD800) << 10) + (*second - 0xDC00));
      at_ += 6;
      return true;
    }
    if (strictness_ == Strictness::ours) {
      fail("a lone surrogate in a string");
      return false;
    }
    append_utf8(buffer_, kReplacement);
    return true;
  }

  /// The UTF-16 unit of a `\uXXXX` at `at`.
  std::optional<std::uint32_t> unit(std::size_t at) const {
    if (at + 6 > text_.size() || text_[at] != '\\' || text_[at + 1] != 'u') return std::nullopt;
    std::uint32_t result = 0;
    for (char c : text_.substr(at + 2, 4)) {
      const std::uint32_t digit = c >= '0' && c <= '9'   ? static_cast<std::uint32_t>(c - '0')
                                  : c >= 'a' && c <= 'f' ? static_cast<std::uint32_t>(c - 'a' + 10)
                                  : c >= 'A' && c <= 'F' ? static_cast<std::uint32_t>(c - 'A' + 10)
                                                         : 16;
      if (digit == 16) return std::nullopt;
      result = result * 16 + digit;
    }
    return result;
  }

  std::string_view text_;
  std::size_t at_;
  Strictness strictness_;
  bool unusual_ = false;  ///< the last string's spelling may not be the one Go's encoder gives
  std::string buffer_;
  Error problem_{};
};

/// One pass over one document.
class Reader {
 public:
  Reader(std::string_view text, std::size_t offset, const Limits& limits, Strictness strictness)
      : text_(text, offset, strictness), begin_(offset), limits_(limits) {}

  std::optional<Value> document() {
    text_.skip_blanks();
    begin_ = text_.offset();
    auto read = value();
    if (read && is_too_long()) return fail_too_long();
    return read;
  }
  Error fail_at_end() {
    text_.fail("expected the end of the document");
    return text_.error();
  }
  JsonText& text() { return text_; }

 private:
  std::optional<Value> value() {
    if (text_.at_end()) return text_.fail("expected a value, found the end");
    if (is_too_long()) return fail_too_long();
    if (++values_ > limits_.values_max) {
      return text_.fail("the document has more values than values_max = " +
                        std::to_string(limits_.values_max));
    }
    switch (text_.next()) {
      case '{':
        return object();
      case '[':
        return array();
      case '"':
        return text_.string_value();
      case 't':
        return text_.literal("true", Value(true));
      case 'f':
        return text_.literal("false", Value(false));
      case 'n':
        return text_.literal("null", Value());
      default:
        return text_.number();
    }
  }

  bool is_too_long() const { return text_.offset() - begin_ > limits_.document_bytes_max; }
  std::nullopt_t fail_too_long() {
    return text_.fail("the document is longer than document_bytes_max = " +
                      std::to_string(limits_.document_bytes_max));
  }

  bool enter() {
    if (++depth_ <= limits_.depth_max) return true;
    text_.fail("the document is nested deeper than depth_max = " + std::to_string(limits_.depth_max));
    return false;
  }

  std::optional<Value> array() {
    if (!enter()) return std::nullopt;
    text_.skip();
    const std::size_t first = elements_.size();
    text_.skip_blanks();
    if (!text_.accept(']')) {
      do {
        text_.skip_blanks();
        auto element = value();
        if (!element) {
          text_.path_in(std::to_string(elements_.size() - first));
          return std::nullopt;
        }
        elements_.push_back(std::move(*element));
        text_.skip_blanks();
      } while (text_.accept(','));
      if (!text_.accept(']')) return text_.fail("expected \",\" or \"]\"");
    }
    --depth_;
    return taken(elements_, first);
  }

  std::optional<Value> object() {
    if (!enter()) return std::nullopt;
    text_.skip();
    const std::size_t first = members_.size();
    text_.skip_blanks();
    if (!text_.accept('}')) {
      do {
        text_.skip_blanks();
        if (text_.next() != '"') return text_.fail("expected a member's name in quotes");
        const auto name = text_.string();
        if (!name) return std::nullopt;
        Key key(*name);
        text_.skip_blanks();
        if (!text_.accept(':')) return text_.fail("expected \":\"");
        text_.skip_blanks();
        auto member = value();
        if (!member) {
          text_.path_in(key.text());
          return std::nullopt;
        }
        members_.push_back({std::move(key), std::move(*member)});
        text_.skip_blanks();
      } while (text_.accept(','));
      if (!text_.accept('}')) return text_.fail("expected \",\" or \"}\"");
    }
    --depth_;
    return taken(members_, first);
  }

  /// Makes the array or object that just ended from the items read since it began.
  template <class T>
  static Value taken(std::vector<T>& read, std::size_t first) {
    Value made = Value::taking(std::span(read).subspan(first));
    read.erase(read.begin() + static_cast<std::ptrdiff_t>(first), read.end());
    return made;
  }

  JsonText text_;
  std::size_t begin_;
  const Limits& limits_;
  std::size_t depth_ = 0;
  /// The items of all arrays and objects that are still open, the innermost last.
  std::vector<Value> elements_{};
  std::vector<Member> members_{};
  std::size_t values_ = 0;
};

}  // namespace

Result<Value> read_json_at(std::string_view text, std::size_t& offset, const Limits& limits,
                           Strictness strictness) {
  Reader reader(text, offset, limits, strictness);
  auto value = reader.document();
  if (!value) return reader.text().error();
  reader.text().skip_blanks();
  offset = reader.text().offset();
  return std::move(*value);
}

Result<Value> read_json(std::string_view text, const Limits& limits, Strictness strictness) {
  Reader reader(text, 0, limits, strictness);
  auto value = reader.document();
  if (!value) return reader.text().error();
  reader.text().skip_blanks();
  if (!reader.text().at_end()) return reader.fail_at_end();
  return std::move(*value);
}

Result<std::vector<Value>> read_json_stream(std::string_view text, const Limits& limits,
                                            Strictness strictness) {
  std::vector<Value> documents;
  std::size_t offset = 0;
  while (text.find_first_not_of(" \n\r\t", offset) != std::string_view::npos) {
    auto next = read_json_at(text, offset, limits, strictness);
    if (!next) return std::move(next).error().within("document " + std::to_string(documents.size() + 1));
    documents.push_back(*std::move(next));
  }
  return documents;
}

}  // namespace fixpoint::document
