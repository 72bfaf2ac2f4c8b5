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

/// The error of the operation that fails, in the words of the library and in ours. Every function returns
/// false: no other operation runs.
class Failure {
 public:
  std::optional<PatchProblem>& problem() { return problem_; }
  void next_operation() { ++number_; }

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

 private:
  std::optional<PatchProblem> problem_{};
  std::size_t number_ = 0;  ///< of the current operation
};

/// The document, and the place in it that was visited last.
struct Place {
  /// The object or list that holds the last token of the path, and that token in `key`. Text before the
  /// first `/` is ignored. `Node` is `const Value` for reading and `Value` for editing, which copies shared
  /// nodes.
  template <class Node>
  Node* container_of(Node& document, std::string_view path) {
    tokens = 0;
    const std::size_t slash = path.find('/');
    if (slash == std::string_view::npos) return nullptr;
    path.remove_prefix(slash + 1);
    Node* at = &document;
    steps += at->members().size();
    for (std::size_t end = path.find('/'); end != std::string_view::npos; end = path.find('/')) {
      at = child_of(*at, unescape(path.substr(0, end), buffer));
      ++tokens;
      met_added_null = met_added_null || (is_old && at != nullptr && at->same(kAddedNull));
      if (at == nullptr || !(at->is_array() || at->is_object() || at->same(kCopiedNull))) return nullptr;
      steps += at->members().size();
      if (at->is_object() && !at->distinct()) met_duplicates = !settle(*at);
      path.remove_prefix(end + 1);
    }
    ++tokens;
    key = unescape(path, buffer);
    return at;
  }
  static bool settle(Value& object) { return (drop_duplicates(object), true); }
  static bool settle(const Value&) { return false; }

  const Value* look(std::string_view path) {
    const Value* found = container_of<const Value>(root, path);
    return std::exchange(met_duplicates, false) ? container_of<Value>(root, path) : found;
  }
  Value* open(std::string_view path) { return container_of<Value>(root, path); }

  /// The child at `key`; null for a missing member of an object, nullptr for a bad index.
  const Value* get(const Value& container) const {
    const Value* found = child_of(container, key);
    return found == nullptr && !container.is_array() ? &kAbsent : found;
  }

  /// The depth of a value of the document, or 0 if the target's path is too short for it to matter.
  std::size_t depth_in_document(const Value& value, std::string_view path) {
    const auto slashes = static_cast<std::size_t>(std::count(path.begin(), path.end(), '/'));
    if (depth_bound == 0) depth_bound = depth_of(root) + 1;
    if (slashes + depth_bound <= depth_max) {
      depth_bound += slashes;
      return 0;
    }
    depth_bound = 0;
    return depth_of(value);
  }
  /// Returns true if a value of that depth is allowed at the place.
  bool fits(std::size_t depth) {
    if (depth_bound != 0) depth_bound = std::max(depth_bound, tokens + depth);
    return tokens + depth <= depth_max;
  }

  const std::size_t depth_max;  ///< of a patched document
  const bool is_old;
  Value root;
  std::string_view key{};  ///< its last token
  std::string buffer{};
  std::size_t tokens = 0;  ///< of its path
  bool met_duplicates = false;
  bool met_added_null = false;
  std::size_t steps = 0;        ///< members visited, elements moved and values compared
  std::size_t depth_bound = 0;  ///< upper bound for the document's depth; 0 if unknown
};

class Patcher {
 public:
  Patcher(const Value& document, const Limits& limits, PatchLibrary library)
      : limits_(limits),
        place_{.depth_max = limits.patched_depth_max,
               .is_old = library == PatchLibrary::before_4_13,
               .root = document} {
    drop_duplicates(place_.root);
  }

  Patched run(const Value& patch) {
    if (!place_.root.is_null() && !place_.root.is_array() && !place_.root.is_object())
      failure_.fail(Text("json: cannot unmarshal {} into Go value of type jsonpatch.partialDoc")
                        .with({go_kind(place_.root)}),
                    "the document is neither object nor list");
    for (const Value& operation : patch.elements()) {
      if (failure_.problem() || !apply(operation) || !is_within_steps()) break;
      failure_.next_operation();
    }
    if (failure_.problem()) return {Value(), std::move(failure_.problem())};
    if (marked_) place_.root = as_copied(place_.root);
    return {std::move(place_.root), std::nullopt};
  }

 private:
  /// Every step returns true if the next one may run.
  /// The old library reads the text of a null that the patch has added, where it is on a path; there is none.
  bool apply(const Value& operation) {
    const bool is_applied = apply_verb(operation);
    return std::exchange(place_.met_added_null, false)
               ? failure_.panic("a path leads through a null that was added")
               : is_applied;
  }

  bool apply_verb(const Value& operation) {
    const Verb verb = verb_of(operation);
    if (verb == Verb::unknown) {
      const Value& op = operation["op"];
      return failure_.fail(Text("Unexpected kind: {}").with({op.is_string() ? op.text() : "unknown"}),
                           "unknown op");
    }
    const bool has_source = verb == Verb::move || verb == Verb::copy;
    if (const Value& from = operation["from"]; has_source && !from.is_string()) {
      const std::string why = no_string(from, Text("operation, missing from field: missing value"));
      return failure_.fail(texts_of(verb).no_from.with({why}), "from is missing or no string");
    }
    if (!has_source && !operation["path"].is_string())
      return failure_.fail_without_path(verb, operation["path"]);
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

  /// Adds for `add`, or as the last step of `move` and `copy`.
  bool add(Verb verb, std::string_view path, Value value, std::size_t depth) {
    Value* container = place_.open(path);
    if (container == nullptr) return failure_.fail_at(texts_of(verb).no_parent.with({path}), kNoParent, path);
    if (is_hollow(*container, place_.root)) return failure_.panic("a member is added to a null");
    if (!fits(depth)) return false;
    if (container->is_object()) {
      container->set(place_.key, std::move(value));
      return true;
    }
    const auto place = place_.key == "-" ? container->size() : place_in(place_.key, container->size() + 1);
    if (!place) {
      const std::string why = added_index_problem(place_.key);
      const Text text = texts_of(verb).no_child;
      return failure_.fail_at(verb == Verb::copy ? text.with({why}) : text.with({path, why}),
                              "no such index to add at", path);
    }
    auto& elements = container->edit_elements();
    place_.steps += elements.size() - *place;
    elements.insert(elements.begin() + static_cast<std::ptrdiff_t>(*place), std::move(value));
    return true;
  }

  std::string no_child(const Value& container) const;
  bool remove(std::string_view path) {
    Value* container = place_.open(path);
    const VerbTexts& texts = texts_of(Verb::remove);
    if (container == nullptr) return failure_.fail_at(texts.no_parent.with({path}), kNothing, path);
    if (child_of(std::as_const(*container), place_.key) == nullptr) {
      return failure_.fail_at(texts.no_child.with({path, no_child(*container)}), kNothing, path);
    }
    if (container->is_object()) return container->remove(place_.key);
    auto& elements = container->edit_elements();
    const std::size_t place = *place_in(place_.key, elements.size());
    place_.steps += elements.size() - place;
    elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(place));
    return true;
  }

  bool replace(std::string_view path, const Value* value) {
    Value* container = place_.open(path);
    const VerbTexts& texts = texts_of(Verb::replace);
    if (container == nullptr) return failure_.fail_at(texts.no_parent.with({path}), kNoParent, path);
    if (is_hollow(*container, place_.root)) return failure_.panic("a member is added to a null");
    if (!fits(depth_of_value(value))) return false;
    if (container->is_object()) {
      container->set(place_.key, added(value));
      return true;
    }
    const auto place = place_in(place_.key, container->size());
    if (!place) return failure_.fail_at(texts.no_child.with({path}), "no such element to replace", path);
    container->edit(*place) = added(value);
    return true;
  }

  bool replace_root(const Value* value) {
    if (value == nullptr) return failure_.panic("the document is replaced by no value");
    if (!value->is_array() && !value->is_object())
      return place_.is_old ||
             failure_.fail(Text("replace operation value must be object or array: %!w(<nil>)"),
                           "a document is an object or a list");
    place_.tokens = 0;
    if (!fits(depth_of_value(value))) return false;
    place_.root = *value;
    drop_duplicates(place_.root);
    return true;
  }

  bool move(std::string_view from, const Value& to);
  bool copy(std::string_view from, const Value& to);
  bool test(std::string_view path, const Value* value);
  bool test_root(const Value* value);
  bool judge(Comparison::Verdict verdict, std::string_view path);
  /// Returns true if a value of that depth is allowed at the path visited last.
  bool fits(std::size_t depth) {
    return place_.fits(depth) || failure_.exceed("the document becomes deeper than patched_depth_max = " +
                                                 std::to_string(limits_.patched_depth_max));
  }
  bool is_within_steps() {
    if (place_.steps <= limits_.patch_steps_max) return true;
    const std::string bound = std::to_string(limits_.patch_steps_max);
    return failure_.exceed("the patch takes more steps than patch_steps_max = " + bound,
                           PatchProblem::Kind::limit);
  }
  static std::size_t depth_of_value(const Value* value) { return value == nullptr ? 0 : depth_of(*value); }

  const Limits& limits_;
  Failure failure_{};
  Place place_;
  bool marked_ = false;  ///< the tree may contain null marks
  std::size_t copied_bytes_ = 0;
};

/// Why an object or list has no child of the token visited last.
std::string Patcher::no_child(const Value& container) const {
  if (container.is_array()) return index_problem(place_.key);
  return Text("Unable to remove nonexistent key: {}: missing value").with({place_.key});
}

bool Patcher::move(std::string_view from, const Value& to) {
  const VerbTexts& texts = texts_of(Verb::move);
  const Value* holder = place_.look(from);
  if (holder == nullptr)
    return failure_.fail_at(texts.no_source_parent.with({from}), "nothing to move at", from);
  if (child_of(*holder, place_.key) == nullptr) {
    const char* sketch = holder->is_array() ? "nothing to move at" : kNothing;
    return failure_.fail_at(texts.no_source.with({place_.key, no_child(*holder)}), sketch, from);
  }
  Value value = *place_.get(*holder);
  const std::size_t depth = place_.depth_in_document(value, to.text());
  if (!remove(from)) return false;
  return to.is_string() ? add(Verb::move, to.text(), std::move(value), depth)
                        : failure_.fail_without_path(Verb::move, to);
}

bool Patcher::copy(std::string_view from, const Value& to) {
  const VerbTexts& texts = texts_of(Verb::copy);
  const std::string_view path = to.text();
  place_.look(path);  // A target path inside the source drops its duplicates before the copy.
  const Value* holder = place_.look(from);
  if (holder == nullptr)
    return failure_.fail_at(texts.no_source_parent.with({from}), "nothing to copy at", from);
  const Value* found = place_.get(*holder);
  if (found == nullptr) {
    return failure_.fail_at(texts.no_source.with({from, index_problem(place_.key)}), "nothing to copy at",
                            from);
  }
  if (!to.is_string()) return failure_.fail_without_path(Verb::copy, to);
  const Value value = *found;
  if (value.is_null()) return add(Verb::copy, path, value, 0);
  const bool mark = value.same(kAddedNull) || value.same(kCopiedNull);
  const Value copied = mark ? kCopiedNull : as_copied(value);
  copied_bytes_ += mark ? 4 : write_go_json(copied).size();
  if (copied_bytes_ > limits_.copy_bytes_max) {
    const std::string bound = std::to_string(limits_.copy_bytes_max);
    return failure_.fail(
        Text("Unable to complete the copy, the accumulated size increase of copy is {}, exceeding "
             "the limit {}")
            .with({std::to_string(copied_bytes_), bound}),
        "the copied values take more than copy_bytes_max = " + bound);
  }
  return add(Verb::copy, path, copied, place_.depth_in_document(copied, path));
}

bool Patcher::test(std::string_view path, const Value* value) {
  const Value* holder = place_.look(path);
  const Value* found = holder == nullptr ? nullptr : place_.get(*holder);
  const VerbTexts& texts = texts_of(Verb::test);
  if (holder == nullptr) return failure_.fail_at(texts.no_parent.with({path}), "nothing to test at", path);
  if (found == nullptr) {
    return failure_.fail_at(texts.no_child.with({path, index_problem(place_.key)}), "nothing to test at",
                            path);
  }
  const bool wants_null = value == nullptr || value->is_null();
  if (place_.is_old && found->is_null() && value == nullptr)
    return failure_.panic("a test of null has no value");
  if (found->is_null()) return wants_null || failure_.fail_test(path);
  if (wants_null) return (value != nullptr && found->same(kAddedNull)) || failure_.fail_test(path);
  Comparison comparison;
  const auto verdict = comparison.compare(*found, *value);
  place_.steps += comparison.steps();
  if (!judge(verdict, path)) return false;
  if (comparison.met_duplicates()) drop_all_duplicates(*child_of(*place_.open(path), place_.key));
  return true;
}

bool Patcher::test_root(const Value* value) {
  if (value == nullptr) return failure_.panic("the document is compared with no value");
  if (value->is_null()) return failure_.fail_test("");
  Comparison comparison;
  const auto verdict = comparison.compare(place_.root.is_null() ? kCopiedNull : place_.root, *value);
  place_.steps += comparison.steps();
  if (!judge(verdict, "")) return false;
  if (comparison.met_duplicates()) drop_all_duplicates(place_.root);
  return true;
}

bool Patcher::judge(Comparison::Verdict verdict, std::string_view path) {
  if (verdict == Comparison::Verdict::panic) return failure_.panic("a test compares an element that is null");
  return verdict == Comparison::Verdict::equal || failure_.fail_test(path);
}

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
