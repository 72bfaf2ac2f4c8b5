#include "harness/document/patch_order.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "harness/document/pointer.h"

namespace fixpoint::document {

namespace {

void sort_members(Value& object) {
  Members& members = object.edit_members();
  std::stable_sort(members.begin(), members.end(),
                   [](const Member& a, const Member& b) { return a.key.text() < b.key.text(); });
}

/// Sorts the members of the objects on the way to the last token.
void sort_along(Value& root, const Pointer& pointer) {
  Value* at = &root;
  for (const std::string& token : pointer) {
    if (at->is_object()) {
      sort_members(*at);
      at = at->edit_known(Name(token));
    } else if (at->is_array()) {
      std::size_t index = 0;
      const bool is_index =
          std::from_chars(token.data(), token.data() + token.size(), index).ec == std::errc();
      at = is_index && index < at->size() ? &at->edit(index) : nullptr;
    } else {
      return;
    }
    if (at == nullptr) return;
  }
}

}  // namespace

Value as_library_writes(const Value& patched, const Value& patch) {
  Value written = patched;
  for (const Value& operation : patch.elements()) {
    for (const char* member : {"path", "from"}) {
      const auto pointer = parse_pointer(operation[member].text());
      if (pointer) sort_along(written, *pointer);
    }
  }
  return written;
}

}  // namespace fixpoint::document
