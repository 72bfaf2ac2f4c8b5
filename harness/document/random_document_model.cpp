#include "harness/document/random_document_model.h"

#include <array>
#include <utility>
#include <vector>

#include "harness/document/json.h"
#include "harness/document/pointer.h"

namespace fixpoint::document {

namespace {

template <class Table>
const char* pick(const Choose& choose, const Table& table) {
  return table[choose(static_cast<std::uint32_t>(table.size()))];
}

constexpr std::array kNames = {"a", "b", "c", "name", "", "0", "x/y", "~", "~1", "-", "\xC3\xA4", "yes"};
constexpr std::array kStrings = {"",    "x", "yes", "null",     "1",   "0644",   "a: b",
                                 "- a", "#", "<&>", "\xC3\xA4", " x ", "a\nb\n", "\t"};
constexpr std::array kNumbers = {"0",     "1",    "-1", "1.0", "1e2", "-0", "12345678901234567890",
                                 "1E400", "0.125"};
constexpr std::array kSpellings = {R"("\u0078")", R"("<")",      R"("\u003C")",
                                   R"("\/")",     R"("\u00e4")", R"("\ud800")"};
constexpr std::array kEnds = {"a", "b", "-", "0", "1", "-1", "-2", "01", "+1", "", "~1", "~2", "99"};
constexpr std::array kVerbs = {"add",  "add",  "remove", "replace", "move",
                               "copy", "copy", "test",   "test",    "merge"};

void list_paths(const Value& value, const std::string& at, std::vector<std::pair<std::string, Value>>& out) {
  out.emplace_back(at, value);
  std::size_t index = 0;
  for (const Value& element : value.elements()) list_paths(element, at + "/" + std::to_string(index++), out);
  for (const Member& member : value.members()) {
    list_paths(member.value, at + "/" + escape_token(member.key.text()), out);
  }
}

}  // namespace

Value random_document(const Choose& choose, int depth, bool odd) {
  switch (choose(depth > 0 ? 8 : 5)) {
    case 0:
      return {};
    case 1:
      return choose(2) == 0;
    case 2:
      return Value::number(pick(choose, kNumbers));
    case 3:
      return {pick(choose, kStrings)};
    case 4:
      return odd ? *read_json(pick(choose, kSpellings), {}, Strictness::foreign) : Value("y");
    case 5: {
      Value list = Value::empty_list();
      for (auto n = choose(4); n > 0; --n) list.push_back(random_document(choose, depth - 1, odd));
      return list;
    }
    default: {
      std::vector<Member> members;
      for (auto n = choose(5); n > 0; --n) {
        members.push_back({pick(choose, kNames), random_document(choose, depth - 1, odd)});
      }
      Value object(std::move(members));
      if (odd || object.distinct()) return object;
      Value distinct = Value::empty_object();
      for (const Member& member : object.members()) distinct.set(member.key.name(), member.value);
      return distinct;
    }
  }
}

Value random_patch(const Choose& choose, const Value& document, bool odd) {
  std::vector<std::pair<std::string, Value>> places;
  list_paths(document, "", places);
  const auto draw = [&] { return places[choose(static_cast<std::uint32_t>(places.size()))]; };
  Value patch = Value::empty_list();
  for (auto n = 1 + choose(6); n > 0; --n) {
    auto [path, present] = draw();
    if (choose(3) == 0) path += std::string("/") + pick(choose, kEnds);
    Value operation{{"op", pick(choose, kVerbs)}, {"path", path}};
    if (choose(12) != 0) operation.set("from", draw().first);
    const bool keep = operation["op"].text() == "test" && choose(4) != 0;
    if (choose(8) != 0) operation.set("value", keep ? present : random_document(choose, 2, odd));
    patch.push_back(operation);
  }
  return patch;
}

}  // namespace fixpoint::document
