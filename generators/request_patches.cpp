#include <array>
#include <string>
#include <vector>

#include "generators/boundary_values.h"
#include "generators/requests.h"
#include "generators/typed_edits.h"
#include "harness/document/diff.h"
#include "harness/document/pointer.h"

namespace fixpoint::generators {

namespace {

using document::Member;
using document::Value;
using runner::Choices;

constexpr std::array kVerbs = {"add",  "add",  "add",  "remove", "remove", "replace", "replace",
                               "move", "copy", "test", "test",   "merge",  "Add",     ""};
constexpr std::array kEnds = {"new", "-",  "0",    "1",    "-1",  "-2", "01",  "+1",      "",
                              "99",  "~1", "x~1y", "name", "1.0", "~2", "a/b", "metadata"};
constexpr std::array kOddPaths = {
    "", "/", "//", "a", "a/b", "x/a", "/none/deep", "/spec/", "/spec/containers/-"};

struct Place {
  std::string path;
  Value value;
};

void list_places(const Value& value, const std::string& at, std::vector<Place>& out) {
  out.push_back({at, value});
  std::size_t index = 0;
  for (const Value& element : value.elements()) list_places(element, at + "/" + std::to_string(index++), out);
  for (const Member& member : value.members()) {
    list_places(member.value, at + "/" + document::escape_token(member.key.text()), out);
  }
}

class Patcher {
 public:
  Patcher(const Value& document, Choices& choices) : c_(choices) { list_places(document, "", places_); }

  Value operation() {
    if (c_.one_in(100)) return wrong_value(c_);
    const Place& place = c_.pick(places_);
    Value made{{"op", c_.pick(kVerbs)}, {"path", path_near(place)}};
    if (made["op"].text() == "move" || made["op"].text() == "copy" || c_.one_in(20)) {
      made.set("from", path_near(c_.pick(places_)));
    }
    if (c_.below(10) != 0) made.set("value", value_for(made["op"].text() == "test", place));
    if (c_.one_in(40)) made.edit_members().push_back({"path", path_near(c_.pick(places_))});
    if (c_.one_in(40)) made.set(c_.coin() ? "op" : "path", wrong_value(c_));
    if (c_.one_in(60)) made.remove(c_.coin() ? "op" : "path");
    return made;
  }

 private:
  std::string path_near(const Place& place) {
    if (c_.one_in(12)) return c_.pick(kOddPaths);
    if (c_.below(4) != 0) return place.path;
    const auto parent = place.path.rfind('/');
    return (c_.coin() && parent != std::string::npos ? place.path.substr(0, parent) : place.path) + "/" +
           c_.pick(kEnds);
  }

  Value value_for(bool is_test, const Place& place) {
    if (is_test && c_.below(4) != 0) return place.value;
    if (c_.coin()) return c_.pick(places_).value;
    return wrong_value(c_);
  }

  Choices& c_;
  std::vector<Place> places_;
};

}  // namespace

Value draw_patch(const Value& document, Choices& choices, int minor) {
  if (choices.one_in(80)) return wrong_value(choices);
  Value patch = Value::empty_list();
  if (document["spec"].is_object() && choices.coin()) {
    Value edited = document;
    for (auto left = 1 + choices.below(3); left > 0; --left) {
      edit_pod(edited, choices, {.minor = minor, .is_careless = choices.one_in(3)});
    }
    patch = document::diff(document, edited);
    if (patch.size() > 12) patch.edit_elements().resize(12);
  }
  Patcher patcher(document, choices);
  const auto odd = patch.empty() ? 1 + choices.below(4) : choices.one_in(4) ? 1 : 0;
  for (auto left = odd; left > 0; --left) patch.push_back(patcher.operation());
  return patch;
}

}  // namespace fixpoint::generators
