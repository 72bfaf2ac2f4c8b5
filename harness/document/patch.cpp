#include "harness/document/patch.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "harness/document/json.h"
#include "harness/document/patch_nodes.h"
#include "harness/document/patch_texts.h"

namespace fixpoint::document {

namespace {

constexpr std::array<std::string_view, 6> kVerbs = {"add", "remove", "replace", "move", "copy", "test"};

Verb verb_of(const Value& operation) {
  const auto found = std::find(kVerbs.begin(), kVerbs.end(), operation["op"].text());
  return static_cast<Verb>(found - kVerbs.begin());
}

/// The position of an index in a list of `size`; negative ones count from the end.
std::optional<std::size_t> place_in(std::string_view token, std::size_t size) {
  const auto index = read_index(token);
  const auto length = static_cast<std::int64_t>(size);
  if (!index || *index >= length || *index < -length) return std::nullopt;
  return static_cast<std::size_t>(*index < 0 ? *index + length : *index);
}

/// Unescapes a token of a path. Unlike in RFC 6901, any other `~` is kept.
std::string_view unescape(std::string_view token, std::string& buffer) {
  if (token.find('~') == std::string_view::npos) return token;
  buffer.clear();
  for (std::size_t i = 0; i < token.size(); ++i) {
    const char next = token[i] == '~' && i + 1 < token.size() ? token[i + 1] : '\0';
    const bool escape = next == '0' || next == '1';
    buffer += !escape ? token[i] : next == '0' ? '~' : '/';
    i += escape ? 1u : 0u;
  }
  return buffer;
}

const Value* child_of(const Value& container, std::string_view token) {
  if (container.is_object()) return container.find(token);
  const auto index = container.is_array() ? place_in(token, container.size()) : std::nullopt;
  return index ? &container.elements()[*index] : nullptr;
}

Value* child_of(Value& container, std::string_view token) {
  if (container.is_object()) return container.edit_known(token);
  const auto index = container.is_array() ? place_in(token, container.size()) : std::nullopt;
  return index ? &container.edit(*index) : nullptr;
}

const Value kAbsent;
constexpr const char* kNothing = "nothing to remove at";
constexpr const char* kNoParent = "there is no object or list at the parent of";

/// Returns true for a null that decodes as an empty object; adding to it crashes the library.
bool is_hollow(const Value& container, const Value& root) {
  return container.same(kCopiedNull) || (container.is_null() && &container == &root);
}

class Patcher {
 public:
  Patcher(const Value& document, const Limits& limits, PatchLibrary library)
      : limits_(limits), is_old_(library == PatchLibrary::before_4_13), root_(document) {
    drop_duplicates(root_);
  }

  Patched run(const Value& patch) {
    if (!root_.is_null() && !root_.is_array() && !root_.is_object())
      fail(
          Text("json: cannot unmarshal {} into Go value of type jsonpatch.partialDoc").with({go_kind(root_)}),
          "the document is neither object nor list");
    for (const Value& operation : patch.elements()) {
      if (problem_ || !apply(operation) || !is_within_steps()) break;
      ++number_;
    }
    if (problem_) return {Value(), std::move(problem_)};
    if (marked_) root_ = as_copied(root_);
    return {std::move(root_), std::nullopt};
  }

 private:
  /// Every step returns true if the next one may run.
  /// `said` are the library's words, `sketch` ours.
  bool fail(Detail said, const std::string& sketch, PatchProblem::Kind kind = PatchProblem::Kind::apply) {
    problem_ = PatchProblem{kind, std::string(said.view()), number_,
                            "operation " + std::to_string(number_) + ": " + sketch};
    return false;
  }
  bool fail_at(Detail said, const char* sketch, std::string_view path) {
    return fail(said, std::string(sketch) + " \"" + std::string(path) + "\"");
  }
  bool exceed(const std::string& limit, PatchProblem::Kind kind = PatchProblem::Kind::apply) {
    return fail(limit, limit, kind);
  }
  bool panic(const std::string& why) { return fail(why, why, PatchProblem::Kind::panic); }
  bool fail_test(std::string_view path) {
    fail_at(Text("testing value {} failed: test failed").with({path}), "the test failed:", path);
    problem_->is_failed_test = true;
    return false;
  }
  bool fail_without_path(Verb verb, const Value& path) {
    const std::string why = no_string(path, Text("operation missing path field: missing value"));
    return fail(texts_of(verb).no_path.with({why}), "path is missing or no string");
  }

  /// The old library reads the text of a null that the patch has added, where it is on a path; there is none.
  bool apply(const Value& operation) {
    const bool is_applied = apply_verb(operation);
    return std::exchange(met_added_null_, false) ? panic("a path leads through a null that was added")
                                                 : is_applied;
  }

  bool apply_verb(const Value& operation) {
    const Verb verb = verb_of(operation);
    if (verb == Verb::unknown) {
      const Value& op = operation["op"];
      return fail(Text("Unexpected kind: {}").with({op.is_string() ? op.text() : "unknown"}), "unknown op");
    }
    const bool has_source = verb == Verb::move || verb == Verb::copy;
    if (const Value& from = operation["from"]; has_source && !from.is_string()) {
      const std::string why = no_string(from, Text("operation, missing from field: missing value"));
      return fail(texts_of(verb).no_from.with({why}), "from is missing or no string");
    }
    if (!has_source && !operation["path"].is_string()) return fail_without_path(verb, operation["path"]);
    const std::string_view path = operation["path"].text();
    const Value* value = operation.find("value");
    switch (verb) {
      case Verb::add:
        return add(Verb::add, path, added(value), depth_of_value(value));
      case Verb::remove:
        return remove(path);
      case Verb::replace:
        return path.empty() ? replace_root(value) : replace(path, value);
      case Verb::move:
        return move(operation["from"].text(), operation["path"]);
      case Verb::copy:
        return copy(operation["from"].text(), operation["path"]);
      default:
        return path.empty() ? test_root(value) : test(path, value);
    }
  }

  /// The value to store in the document; null becomes a mark.
  Value added(const Value* value) {
    if (value == nullptr) return {};
    if (!value->is_null()) return *value;
    marked_ = true;
    return kAddedNull;
  }

  /// The object or list that holds the last token of the path, and that token in `key_`. Text before the
  /// first `/` is ignored. `Node` is `const Value` for reading and `Value` for editing, which copies shared
  /// nodes.
  template <class Node>
  Node* container_of(Node& root, std::string_view path) {
    tokens_ = 0;
    const std::size_t slash = path.find('/');
    if (slash == std::string_view::npos) return nullptr;
    path.remove_prefix(slash + 1);
    Node* at = &root;
    steps_ += at->members().size();
    for (std::size_t end = path.find('/'); end != std::string_view::npos; end = path.find('/')) {
      at = child_of(*at, unescape(path.substr(0, end), buffer_));
      ++tokens_;
      met_added_null_ = met_added_null_ || (is_old_ && at != nullptr && at->same(kAddedNull));
      if (at == nullptr || !(at->is_array() || at->is_object() || at->same(kCopiedNull))) return nullptr;
      steps_ += at->members().size();
      if (at->is_object() && !at->distinct()) met_duplicates_ = !settle(*at);
      path.remove_prefix(end + 1);
    }
    ++tokens_;
    key_ = unescape(path, buffer_);
    return at;
  }
  static bool settle(Value& object) { return (drop_duplicates(object), true); }
  static bool settle(const Value&) { return false; }

  const Value* look(std::string_view path) {
    const Value* found = container_of<const Value>(root_, path);
    return std::exchange(met_duplicates_, false) ? container_of<Value>(root_, path) : found;
  }
  Value* open(std::string_view path) { return container_of<Value>(root_, path); }

  /// The child at `key_`; null for a missing member of an object, nullptr for a bad index.
  const Value* get(const Value& container) const {
    const Value* found = child_of(container, key_);
    return found == nullptr && !container.is_array() ? &kAbsent : found;
  }

  /// Adds for `add`, or as the last step of `move` and `copy`.
  bool add(Verb verb, std::string_view path, Value value, std::size_t depth) {
    Value* container = open(path);
    if (container == nullptr) return fail_at(texts_of(verb).no_parent.with({path}), kNoParent, path);
    if (is_hollow(*container, root_)) return panic("a member is added to a null");
    if (!fits(depth)) return false;
    if (container->is_object()) {
      container->set(key_, std::move(value));
      return true;
    }
    const auto place = key_ == "-" ? container->size() : place_in(key_, container->size() + 1);
    if (!place) {
      const std::string why = added_index_problem(key_);
      const Text text = texts_of(verb).no_child;
      return fail_at(verb == Verb::copy ? text.with({why}) : text.with({path, why}),
                     "no such index to add at", path);
    }
    auto& elements = container->edit_elements();
    steps_ += elements.size() - *place;
    elements.insert(elements.begin() + static_cast<std::ptrdiff_t>(*place), std::move(value));
    return true;
  }

  /// Why an object or list has no child of the token visited last.
  std::string no_child(const Value& container) const {
    if (container.is_array()) return index_problem(key_);
    return Text("Unable to remove nonexistent key: {}: missing value").with({key_});
  }

  bool remove(std::string_view path) {
    Value* container = open(path);
    const VerbTexts& texts = texts_of(Verb::remove);
    if (container == nullptr) return fail_at(texts.no_parent.with({path}), kNothing, path);
    if (child_of(std::as_const(*container), key_) == nullptr) {
      return fail_at(texts.no_child.with({path, no_child(*container)}), kNothing, path);
    }
    if (container->is_object()) return container->remove(key_);
    auto& elements = container->edit_elements();
    const std::size_t place = *place_in(key_, elements.size());
    steps_ += elements.size() - place;
    elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(place));
    return true;
  }

  bool replace(std::string_view path, const Value* value) {
    Value* container = open(path);
    const VerbTexts& texts = texts_of(Verb::replace);
    if (container == nullptr) return fail_at(texts.no_parent.with({path}), kNoParent, path);
    if (is_hollow(*container, root_)) return panic("a member is added to a null");
    if (!fits(depth_of_value(value))) return false;
    if (container->is_object()) {
      container->set(key_, added(value));
      return true;
    }
    const auto place = place_in(key_, container->size());
    if (!place) return fail_at(texts.no_child.with({path}), "no such element to replace", path);
    container->edit(*place) = added(value);
    return true;
  }

  bool replace_root(const Value* value) {
    if (value == nullptr) return panic("the document is replaced by no value");
    if (!value->is_array() && !value->is_object())
      return is_old_ || fail(Text("replace operation value must be object or array: %!w(<nil>)"),
                             "a document is an object or a list");
    tokens_ = 0;
    if (!fits(depth_of_value(value))) return false;
    root_ = *value;
    drop_duplicates(root_);
    return true;
  }

  bool move(std::string_view from, const Value& to) {
    const VerbTexts& texts = texts_of(Verb::move);
    const Value* holder = look(from);
    if (holder == nullptr) return fail_at(texts.no_source_parent.with({from}), "nothing to move at", from);
    if (child_of(*holder, key_) == nullptr) {
      const char* sketch = holder->is_array() ? "nothing to move at" : kNothing;
      return fail_at(texts.no_source.with({key_, no_child(*holder)}), sketch, from);
    }
    Value value = *get(*holder);
    const std::size_t depth = depth_in_document(value, to.text());
    if (!remove(from)) return false;
    return to.is_string() ? add(Verb::move, to.text(), std::move(value), depth)
                          : fail_without_path(Verb::move, to);
  }

  bool copy(std::string_view from, const Value& to) {
    const VerbTexts& texts = texts_of(Verb::copy);
    const std::string_view path = to.text();
    look(path);  // A target path inside the source drops its duplicates before the copy.
    const Value* holder = look(from);
    if (holder == nullptr) return fail_at(texts.no_source_parent.with({from}), "nothing to copy at", from);
    const Value* found = get(*holder);
    if (found == nullptr) {
      return fail_at(texts.no_source.with({from, index_problem(key_)}), "nothing to copy at", from);
    }
    if (!to.is_string()) return fail_without_path(Verb::copy, to);
    const Value value = *found;
    if (value.is_null()) return add(Verb::copy, path, value, 0);
    const bool mark = value.same(kAddedNull) || value.same(kCopiedNull);
    const Value twin = mark ? kCopiedNull : as_copied(value);
    copied_bytes_ += mark ? 4 : write_go_json(twin).size();
    if (copied_bytes_ > limits_.copy_bytes_max) {
      const std::string bound = std::to_string(limits_.copy_bytes_max);
      return fail(Text("Unable to complete the copy, the accumulated size increase of copy is {}, exceeding "
                       "the limit {}")
                      .with({std::to_string(copied_bytes_), bound}),
                  "the copied values take more than copy_bytes_max = " + bound);
    }
    return add(Verb::copy, path, twin, depth_in_document(twin, path));
  }

  bool test(std::string_view path, const Value* value) {
    const Value* holder = look(path);
    const Value* found = holder == nullptr ? nullptr : get(*holder);
    const VerbTexts& texts = texts_of(Verb::test);
    if (holder == nullptr) return fail_at(texts.no_parent.with({path}), "nothing to test at", path);
    if (found == nullptr) {
      return fail_at(texts.no_child.with({path, index_problem(key_)}), "nothing to test at", path);
    }
    const bool wants_null = value == nullptr || value->is_null();
    if (is_old_ && found->is_null() && value == nullptr) return panic("a test of null has no value");
    if (found->is_null()) return wants_null || fail_test(path);
    if (wants_null) return (value != nullptr && found->same(kAddedNull)) || fail_test(path);
    Comparison comparison;
    const auto verdict = comparison.compare(*found, *value);
    steps_ += comparison.steps();
    if (!judge(verdict, path)) return false;
    if (comparison.met_duplicates()) drop_all_duplicates(*child_of(*open(path), key_));
    return true;
  }

  bool test_root(const Value* value) {
    if (value == nullptr) return panic("the document is compared with no value");
    if (value->is_null()) return fail_test("");
    Comparison comparison;
    const auto verdict = comparison.compare(root_.is_null() ? kCopiedNull : root_, *value);
    steps_ += comparison.steps();
    if (!judge(verdict, "")) return false;
    if (comparison.met_duplicates()) drop_all_duplicates(root_);
    return true;
  }

  bool judge(Comparison::Verdict verdict, std::string_view path) {
    if (verdict == Comparison::Verdict::panic) return panic("a test compares an element that is null");
    return verdict == Comparison::Verdict::equal || fail_test(path);
  }

  /// Returns true if a value of that depth is allowed at the path visited last.
  bool fits(std::size_t depth) {
    if (depth_bound_ != 0) depth_bound_ = std::max(depth_bound_, tokens_ + depth);
    if (tokens_ + depth <= limits_.patched_depth_max) return true;
    return exceed("the document becomes deeper than patched_depth_max = " +
                  std::to_string(limits_.patched_depth_max));
  }
  bool is_within_steps() {
    if (steps_ <= limits_.patch_steps_max) return true;
    const std::string bound = std::to_string(limits_.patch_steps_max);
    return exceed("the patch takes more steps than patch_steps_max = " + bound, PatchProblem::Kind::limit);
  }
  static std::size_t depth_of_value(const Value* value) { return value == nullptr ? 0 : depth_of(*value); }

  /// The depth of a value of the document, or 0 if the target's path is too short for it to matter.
  std::size_t depth_in_document(const Value& value, std::string_view path) {
    const auto tokens = static_cast<std::size_t>(std::count(path.begin(), path.end(), '/'));
    if (depth_bound_ == 0) depth_bound_ = depth_of(root_) + 1;
    if (tokens + depth_bound_ <= limits_.patched_depth_max) {
      depth_bound_ += tokens;
      return 0;
    }
    depth_bound_ = 0;
    return depth_of(value);
  }

  const Limits& limits_;
  bool is_old_;
  Value root_;
  std::optional<PatchProblem> problem_{};
  std::size_t number_ = 0;  ///< of the current operation
  std::string_view key_{};
  std::string buffer_{};
  std::size_t tokens_ = 0;  ///< of the path visited last
  bool met_duplicates_ = false;
  bool met_added_null_ = false;
  bool marked_ = false;  ///< the tree may contain null marks
  std::size_t copied_bytes_ = 0;
  std::size_t steps_ = 0;        ///< members visited, elements moved and values compared
  std::size_t depth_bound_ = 0;  ///< upper bound for the document's depth; 0 if unknown
};

}  // namespace

std::string_view name_of(PatchProblem::Kind kind) {
  static constexpr std::array<std::string_view, 4> kNames = {"syntax", "apply", "panic", "limit"};
  return kNames.at(static_cast<std::size_t>(kind));
}

bool is_empty_patch(const Value& patch) { return patch.is_null() || (patch.is_array() && patch.empty()); }

std::optional<PatchProblem> decoding_problem(const Value& patch, const Limits& limits) {
  using enum PatchProblem::Kind;
  if (!patch.is_array() && !patch.is_null())
    return PatchProblem{
        syntax,
        Text("json: cannot unmarshal {} into Go value of type jsonpatch.Patch").with({go_kind(patch)}), 0,
        "a patch is a list of operations"};
  const auto operations = patch.elements();
  const auto bad = std::find_if(operations.begin(), operations.end(),
                                [](const Value& each) { return !each.is_object() && !each.is_null(); });
  if (bad != operations.end()) {
    const auto number = static_cast<std::size_t>(bad - operations.begin());
    return PatchProblem{
        syntax,
        Text("json: cannot unmarshal {} into Go value of type jsonpatch.Operation").with({go_kind(*bad)}),
        number, "operation " + std::to_string(number) + ": not an object"};
  }
  if (operations.size() <= limits.operations_max) return std::nullopt;
  const std::string bound = std::to_string(limits.operations_max);
  const std::string sketch = "the patch has more operations than operations_max = " + bound;
  return PatchProblem{limit, sketch, limits.operations_max, sketch};
}

Patched apply_patch(const Value& document, const Value& patch, const Limits& limits, PatchLibrary library) {
  if (auto problem = decoding_problem(patch, limits)) return {Value(), std::move(problem)};
  if (is_empty_patch(patch)) return {document, std::nullopt};
  return Patcher(document, limits, library).run(patch);
}

}  // namespace fixpoint::document
