#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/document/value.h"

namespace fixpoint::generators {

using document::Value;

/// A document that is being reduced, or several that belong together (the two Pods of an UPDATE): a part that
/// is removed from the first is also removed from the others that have it.
class DocumentReduction {
 public:
  /// Receives changed documents; returns true if they are accepted.
  using Offer = std::function<bool(const std::vector<Value>&)>;
  using Step = std::variant<std::string, std::size_t>;
  using Path = std::vector<Step>;

  /// Strings that occur in `kept` are not shortened.
  DocumentReduction(std::vector<Value> documents, Offer offer, std::set<std::string> kept = {})
      : documents_(std::move(documents)), offer_(std::move(offer)), kept_(std::move(kept)) {}

  /// Reduces everything below the path from the whole to its parts: drops children in ever smaller groups,
  /// then reduces the remaining ones, then simplifies scalars. Members of the root that are named in `fixed`
  /// are kept.
  void reduce(const Path& path = {}, const std::vector<std::string_view>& fixed = {});

 private:
  template <class Change>
  bool try_at(const Path& path, const Change& change);
  const Value& at(const Path& path) const;
  void drop_children(const Path& path, const std::vector<std::string>& names, std::size_t low,
                     std::size_t high);
  void reduce_scalar(const Path& path);
  void reduce_text(const Path& path, const std::string& text);
  bool reduce_json_text(const Path& path, const std::string& text);

  std::vector<Value> documents_;
  Offer offer_;
  std::set<std::string> kept_;
};

/// Returns the node at the path, or nullptr.
const Value* look(const Value& root, const DocumentReduction::Path& path);
/// Returns the node at the path for writing; it must exist.
Value& open(Value& root, const DocumentReduction::Path& path);

}  // namespace fixpoint::generators
