#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <optional>
#include <sstream>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "harness/document/pointer.h"
#include "harness/document/utf8.h"
#include "harness/document/yaml.h"
#include "harness/document/yaml_mistakes.h"
#include "harness/document/yaml_scalar.h"

namespace fixpoint::document {

namespace {

/// The size of a part of a document after expansion of aliases.
struct Size {
  std::size_t values = 0, bytes = 0, aliases = 0;
};

struct Anchored {
  Value value{};
  Size size{};
  std::size_t depth = 0;
  std::optional<std::string> key{};  ///< the scalar as a member name, if it can be one
};

/// A list or a map that has begun and not ended.
struct Frame {
  bool is_map = false;
  YAML::anchor_t anchor = YAML::NullAnchor;
  Size begin{};           ///< of the document, when this part began
  std::size_t depth = 1;  ///< levels of this part
  std::vector<Value> elements{};
  std::vector<Member> members{};
  std::optional<std::string> key{};
  bool merges = false;                                    ///< the key is `<<`
  std::unordered_set<std::string> merged{};               ///< names that came by merging
  std::unordered_map<std::string, std::size_t> places{};  ///< of all members, once something was merged
};

/// Thrown to leave the parser, and caught around it.
struct Refused {
  std::string message;
  YAML::Mark mark;
};

/// yaml-cpp gives the escapes `\N` and `\_` as single bytes; all else that comes from it is UTF-8.
std::string with_whole_escapes(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    length == 0 ? append_utf8(out, static_cast<unsigned char>(text[i])) : void(out.append(text, i, length));
    i += std::max<std::size_t>(length, 1);
  }
  return out;
}

[[noreturn]] void refuse(std::string message, const YAML::Mark& mark) {
  throw Refused{std::move(message), mark};
}

[[noreturn]] void refuse_limit(const char* what, std::size_t bound, const YAML::Mark& mark) {
  refuse("the document has " + std::string(what) + " = " + std::to_string(bound), mark);
}

Value value_of(const std::string& tag, const std::string& text, const YAML::Mark& mark) {
  auto value = scalar_value(tag, text);
  if (!value) refuse(value.error().message, mark);
  return *std::move(value);
}

std::string key_of(const std::string& tag, const std::string& text, const YAML::Mark& mark) {
  auto key = scalar_key(tag, text);
  if (!key) refuse(key.error().message, mark);
  return *std::move(key);
}

/// Returns true unless a quoted scalar lacks the mark at its end, which the library forgives at the end of
/// a text.
bool is_closed(std::string_view text, const YAML::Mark& mark) {
  const auto begin = static_cast<std::size_t>(std::max(mark.pos, 0));
  if (begin >= text.size() || (text[begin] != '"' && text[begin] != '\'')) return true;
  for (std::size_t at = begin + 1; at < text.size(); ++at) {
    if (text[at] == '\\' && text[begin] == '"')
      ++at;
    else if (text[at] == text[begin])
      return true;
  }
  return false;
}

class Builder : public YAML::EventHandler {
 public:
  Builder(std::string_view text, const Limits& limits) : text_(text), limits_(limits) {}

  /// The document that ended last; none when it had no content.
  std::optional<Value> take() { return std::exchange(document_, std::nullopt); }
  /// The JSON pointer of the place that was read last.
  std::string pointer() const {
    std::string out;
    for (const Frame& frame : stack_) {
      if (frame.is_map && !frame.key) break;
      out += "/" + (frame.is_map ? escape_token(*frame.key) : std::to_string(frame.elements.size()));
    }
    return out;
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    stack_.clear();
    anchors_.clear();
    size_ = {};
    begin_ = std::max(mark.pos, 0);
    const std::string_view head = text_.substr(std::min(static_cast<std::size_t>(begin_), text_.size()), 3);
    if (std::exchange(begun_, true) && head != "---")
      refuse("expected \"---\" before another document", mark);
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto at = static_cast<std::size_t>(std::max(mark.pos, 0));
    const bool written =
        at < text_.size() && std::string_view("nN~").find(text_[at]) != std::string_view::npos;
    if (stack_.empty() && !written) return;
    if (expects_key()) refuse("null is no name of a member", mark);
    count(mark, 0);
    put({Value(), {1, 0, 0}}, anchor, mark);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& given) override {
    const std::string text = is_utf8(given) ? given : with_whole_escapes(given);
    count(mark, text.size());
    if (tag == "!" && !is_closed(text_, mark)) refuse("a quotation mark that is not closed", mark);
    if (expects_key()) {
      if (anchor != YAML::NullAnchor) remember(anchor, tag, text, mark);
      stack_.back().merges = text == "<<" && (tag == kPlainTag || tag.ends_with(":merge"));
      stack_.back().key = stack_.back().merges ? text : key_of(tag, text, mark);
      return;
    }
    if (anchor != YAML::NullAnchor) return put(remember(anchor, tag, text, mark), YAML::NullAnchor, mark);
    put({value_of(tag, text, mark), {1, text.size(), 0}}, anchor, mark);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) refuse("an alias within the part that it stands for", mark);
    const Anchored& target = found->second;
    size_.aliases += target.size.aliases + 1;
    if (size_.aliases > limits_.aliases_max)
      refuse_limit("more aliases than aliases_max", limits_.aliases_max, mark);
    size_.values += target.size.values;
    count(mark, target.size.bytes);
    if (expects_key()) {
      if (!target.key) refuse("an alias of something that is no name of a member", mark);
      stack_.back().merges = false;
      stack_.back().key = target.key;
      return;
    }
    if (!stack_.empty() && stack_.back().merges && target.value.is_array()) {
      refuse("\"<<\" merges a map or a list of maps written out", mark);
    }
    put(target, YAML::NullAnchor, mark);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    enter(false, mark, anchor);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    enter(true, mark, anchor);
  }
  void OnSequenceEnd() override { leave(); }
  void OnMapEnd() override { leave(); }

 private:
  const Anchored& remember(YAML::anchor_t anchor, const std::string& tag, const std::string& text,
                           const YAML::Mark& mark) {
    Anchored scalar{value_of(tag, text, mark), {1, text.size(), 0}};
    if (auto key = scalar_key(tag, text)) scalar.key = *std::move(key);
    return anchors_[anchor] = std::move(scalar);
  }

  bool expects_key() const { return !stack_.empty() && stack_.back().is_map && !stack_.back().key; }

  void count(const YAML::Mark& mark, std::size_t bytes) {
    size_.bytes += bytes;
    ++size_.values;
    const auto read = static_cast<std::size_t>(std::max(mark.pos - begin_, 0));
    if (size_.values > limits_.values_max)
      refuse_limit("more values than values_max", limits_.values_max, mark);
    if (std::max(size_.bytes, read) > limits_.document_bytes_max) {
      refuse_limit("more bytes than document_bytes_max", limits_.document_bytes_max, mark);
    }
  }

  void enter(bool is_map, const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (expects_key())
      refuse(yaml_mistake(text_, "a list or a map is no name of a member", mark.line, true), mark);
    Frame frame{.is_map = is_map, .anchor = anchor, .begin = size_};
    count(mark, 0);
    stack_.push_back(std::move(frame));
    check_depth(stack_.size(), mark);
    mark_ = mark;
  }

  void check_depth(std::size_t depth, const YAML::Mark& mark) const {
    if (depth > limits_.depth_max) {
      refuse("the document is nested deeper than depth_max = " + std::to_string(limits_.depth_max), mark);
    }
  }

  void leave() {
    Frame frame = std::move(stack_.back());
    stack_.pop_back();
    Value value = frame.is_map ? Value(std::move(frame.members)) : Value(std::move(frame.elements));
    const Size size{size_.values - frame.begin.values, size_.bytes - frame.begin.bytes,
                    size_.aliases - frame.begin.aliases};
    put({std::move(value), size, frame.depth}, frame.anchor, mark_);
  }

  /// A value that is complete: into the list or the map at hand, or it is the document.
  void put(const Anchored& part, YAML::anchor_t anchor, const YAML::Mark& mark) {
    if (anchor != YAML::NullAnchor) anchors_[anchor] = part;
    if (stack_.empty()) {
      document_ = part.value;
      return;
    }
    Frame& frame = stack_.back();
    frame.depth = std::max(frame.depth, part.depth + 1);
    check_depth(stack_.size() + part.depth, mark);
    if (!frame.is_map) {
      frame.elements.push_back(part.value);
    } else if (frame.merges) {
      merge(frame, part.value, mark);
      frame.key.reset();
      frame.merges = false;
    } else {
      put_member(frame, *std::exchange(frame.key, std::nullopt), part.value);
    }
  }

  static void put_member(Frame& frame, const std::string& key, const Value& value) {
    if (frame.merged.erase(key) > 0) {
      frame.members[frame.places.at(key)].value = value;
      return;
    }
    if (!frame.places.empty()) frame.places[key] = frame.members.size();
    frame.members.push_back({key, value});
  }

  /// `<<`: members of another map, or of several of which the first one wins. They replace what stands before
  /// them, as in go-yaml v2.
  static void merge(Frame& frame, const Value& value, const YAML::Mark& mark) {
    if (frame.places.empty()) {
      for (std::size_t i = 0; i < frame.members.size(); ++i)
        frame.places[std::string(frame.members[i].key.text())] = i;
    }
    const bool is_list = value.is_array();
    for (std::size_t i = is_list ? value.size() : 1; i-- > 0;) {
      const Value& source = is_list ? value.at(i) : value;
      if (!source.is_object()) refuse("\"<<\" merges a map or a list of maps", mark);
      for (const Member& member : source.members()) {
        std::string name(member.key.text());
        const auto [place, is_new] = frame.places.emplace(name, frame.members.size());
        if (is_new) frame.members.push_back(member);
        frame.members[place->second].value = member.value;
        frame.merged.insert(std::move(name));
      }
    }
  }

  std::string_view text_;
  const Limits& limits_;
  std::optional<Value> document_{};
  std::vector<Frame> stack_{};
  std::unordered_map<YAML::anchor_t, Anchored> anchors_{};
  Size size_{};
  int begin_ = 0;       ///< where the document begins
  bool begun_ = false;  ///< a document, at least
  YAML::Mark mark_{};
};

/// Where the first byte stands that is in no YAML text: invalid UTF-8 and control characters (YAML 1.1, 5.1).
std::size_t find_foreign_character(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool blank = c == '\t' || c == '\n' || c == '\r';
    if ((c < 0x20 && !blank) || c == 0x7F) return i;
    const std::size_t length = c < 0x80 ? 1 : utf8_length(text, i);
    const std::string_view character = text.substr(i, length);
    const bool c1 =
        length == 2 && c == 0xC2 && static_cast<unsigned char>(text[i + 1]) < 0xA0 && text[i + 1] != '\x85';
    const bool banned =
        character == "\xEF\xBB\xBF" || character == "\xEF\xBF\xBE" || character == "\xEF\xBF\xBF";
    if (length == 0 || c1 || banned) return i;
    i += length;
  }
  return std::string_view::npos;
}

/// An error that is reported before the parser gets there, since it looks ahead and buffers: its offset and
/// message.
struct Obstacle {
  std::size_t at;
  std::string message;
};

/// Scans the whole text once. Brackets are counted everywhere, in quotes too, so their bound is far above any
/// depth_max. Lines that begin with `---` separate documents.
std::optional<Obstacle> find_obstacle(std::string_view text, const Limits& limits) {
  constexpr std::size_t kOpenBracketsMax = 10'000;
  if (const auto at = find_foreign_character(text); at != std::string_view::npos) {
    return Obstacle{at, "a byte that is in no YAML text"};
  }
  std::size_t begin = 0, open = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '-' && (i == 0 || text[i - 1] == '\n') && text.substr(i, 3) == "---") begin = i, open = 0;
    if (c == '[' || c == '{') ++open;
    if ((c == ']' || c == '}') && open > 0) --open;
    if (open > kOpenBracketsMax)
      return Obstacle{i, "more than 10000 brackets are open, far deeper than any depth_max"};
    if (i - begin >= limits.document_bytes_max) {
      const std::string bound = std::to_string(limits.document_bytes_max);
      return Obstacle{i, "the document is longer than document_bytes_max = " + bound};
    }
  }
  return std::nullopt;
}

std::string place_of(int line, int column, const std::string& pointer) {
  std::string place = "line " + std::to_string(line + 1) + ", column " + std::to_string(column + 1);
  return pointer.empty() ? place : place + ", at " + pointer;
}

Error error_of(std::string_view text, const Obstacle& obstacle) {
  const std::string_view before = text.substr(0, obstacle.at);
  const auto lines = static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t begin = before.rfind('\n') + 1;
  return {obstacle.message, place_of(lines, static_cast<int>(obstacle.at - begin), "")};
}

/// All of the parser that is not ours, exceptions included.
std::optional<Error> parse(std::string_view text, const Limits& limits, std::vector<Value>& documents) {
  Builder builder(text, limits);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
      if (auto document = builder.take()) documents.push_back(*std::move(document));
    }
    return std::nullopt;
  } catch (const Refused& problem) {
    return Error{problem.message, place_of(problem.mark.line, problem.mark.column, builder.pointer())};
  } catch (const YAML::DeepRecursion& problem) {
    return Error{"the document is nested deeper than the 500 levels that YAML may have",
                 place_of(problem.mark.line, problem.mark.column, builder.pointer())};
  } catch (const YAML::Exception& problem) {
    return Error{yaml_mistake(text, problem.msg, problem.mark.line),
                 place_of(problem.mark.line, problem.mark.column, builder.pointer())};
  } catch (const std::exception& problem) {
    return Error{std::string("the YAML parser fails: ") + problem.what()};
  }
}

}  // namespace

Result<std::vector<Value>> read_yaml_stream(std::string_view text, const Limits& limits) {
  std::vector<Value> documents;
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  if (const auto obstacle = find_obstacle(text, limits)) return error_of(text, *obstacle);
  auto problem = parse(text, limits, documents);
  if (problem) return std::move(*problem).within("document " + std::to_string(documents.size() + 1));
  return documents;
}

Result<Value> read_yaml(std::string_view text, const Limits& limits) {
  auto documents = read_yaml_stream(text, limits);
  if (!documents) return std::move(documents).error();
  if (documents->size() > 1)
    return Error{"expected one document, found " + std::to_string(documents->size())};
  return documents->empty() ? Value() : documents->front();
}

}  // namespace fixpoint::document
