#include "generators/reduce_document.h"

#include <algorithm>
#include <array>

#include "harness/document/json.h"

namespace fixpoint::generators {

namespace {

using Step = DocumentReduction::Step;
using Path = DocumentReduction::Path;

Path longer(Path path, Step step) {
  path.push_back(std::move(step));
  return path;
}

/// Returns the first `size` bytes, or fewer if that would cut a character in two.
std::string beginning_of(const std::string& text, std::size_t size) {
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0u) == 0x80u) --size;
  return text.substr(0, size);
}

}  // namespace

const Value* look(const Value& root, const Path& path) {
  const Value* node = &root;
  for (const Step& step : path) {
    if (const auto* name = std::get_if<std::string>(&step)) {
      node = node->find(*name);
      if (node == nullptr) return nullptr;
    } else {
      if (std::get<std::size_t>(step) >= node->elements().size()) return nullptr;
      node = &node->at(std::get<std::size_t>(step));
    }
  }
  return node;
}

Value& open(Value& root, const Path& path) {
  Value* node = &root;
  for (const Step& step : path) {
    const auto* name = std::get_if<std::string>(&step);
    node = name != nullptr ? &node->edit(*name) : &node->edit(std::get<std::size_t>(step));
  }
  return *node;
}

const Value& DocumentReduction::at(const Path& path) const {
  static const Value kNothing;
  const Value* found = look(documents_.front(), path);
  return found == nullptr ? kNothing : *found;
}

template <class Change>
bool DocumentReduction::try_at(const Path& path, const Change& change) {
  std::vector<Value> candidate = documents_;
  const Value before = at(path);
  for (Value& document : candidate) {
    const Value* there = look(document, path);
    const bool alike = there != nullptr && there->kind() == before.kind() &&
                       (!there->is_array() || there->size() == before.size());
    if (alike) change(open(document, path));
  }
  if (!offer_(candidate)) return false;
  documents_ = std::move(candidate);
  return true;
}

/// Drops the children [low, high) at once, else in halves, the later half first, so that earlier indices stay
/// valid.
void DocumentReduction::drop_children(const Path& path, const std::vector<std::string>& names,
                                      std::size_t low, std::size_t high) {
  if (low == high) return;
  const bool gone = try_at(path, [&](Value& node) {
    if (node.is_array()) {
      auto& elements = node.edit_elements();
      elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(low),
                     elements.begin() + static_cast<std::ptrdiff_t>(high));
    } else {
      for (std::size_t i = low; i < high; ++i) node.remove(names[i]);
    }
  });
  if (gone || high - low == 1) return;
  const std::size_t middle = low + (high - low) / 2;
  drop_children(path, names, middle, high);
  drop_children(path, names, low, middle);
}

void DocumentReduction::reduce(const Path& path, const std::vector<std::string_view>& fixed) {
  const Value now = at(path);
  if (now.is_object()) {
    std::vector<std::string> names;
    for (const auto& member : now.members()) {
      if (std::find(fixed.begin(), fixed.end(), member.key.text()) == fixed.end())
        names.emplace_back(member.key.text());
    }
    drop_children(path, names, 0, names.size());
    for (const std::string& name : names) {
      if (at(path).find(name) != nullptr) reduce(longer(path, name));
    }
  } else if (now.is_array()) {
    drop_children(path, {}, 0, now.size());
    for (std::size_t i = at(path).size(); i-- > 0;) reduce(longer(path, i));
  } else {
    reduce_scalar(path);
  }
}

void DocumentReduction::reduce_scalar(const Path& path) {
  const Value now = at(path);
  if (now.is_true()) try_at(path, [](Value& node) { node = false; });
  if (now.is_string()) reduce_text(path, std::string(now.text()));
  if (!now.is_number() || now.text().size() < 2) return;
  for (int plain : {0, 1}) {
    if (try_at(path, [&](Value& node) { node = plain; })) return;
  }
}

void DocumentReduction::reduce_text(const Path& path, const std::string& text) {
  if (text.empty() || kept_.contains(text) || reduce_json_text(path, text)) return;
  static constexpr std::array<std::string_view, 5> kPlain{"", "a", "b", "c", "x:1"};
  for (std::string_view plain : kPlain) {
    if (plain.size() > text.size() || text == plain) return;
    if (try_at(path, [&](Value& node) { node = plain; })) return;
  }
  if (text.front() >= '0' && text.front() <= '9') {
    for (std::string_view plain : {"0", "1"}) {
      if (text == plain || try_at(path, [&](Value& node) { node = plain; })) return;
    }
  }
  // Then keep the shortest beginning that is still accepted.
  for (std::size_t cut = text.size() / 2; cut > 0;) {
    const std::string now(at(path).text());
    const std::string less = cut < now.size() ? beginning_of(now, now.size() - cut) : now;
    const bool is_cut = less.size() < now.size() && try_at(path, [&](Value& node) { node = less; });
    if (!is_cut) cut /= 2;
  }
}

/// Reduces a text that is a JSON object as a document: configuration in ConfigMaps.
bool DocumentReduction::reduce_json_text(const Path& path, const std::string& text) {
  if (text.size() < 2 || text.front() != '{') return false;
  const auto inner = document::read_json(text);
  if (!inner) return false;
  DocumentReduction parts(
      {*inner},
      [&](const std::vector<Value>& changed) {
        return try_at(path, [&](Value& node) { node = document::write_json(changed.front()); });
      },
      kept_);
  parts.reduce();
  return true;
}

}  // namespace fixpoint::generators
