#include "generators/draw_expression.h"

#include <array>
#include <string_view>

#include "harness/document/json.h"

namespace fixpoint::generators {

namespace {

using runner::Choices;

enum class Sort { boolean, integer, real, text, list, texts, map, duration, time, quantity, dynamic, count };
constexpr std::size_t kSorts = static_cast<std::size_t>(Sort::count);

/// A template: `$b` stands for a boolean, `$i` for an integer and so on; `@` for the variable of a fold.
using Template = std::string_view;

constexpr std::array<Template, 30> kBooleans = {"true",
                                                "false",
                                                "$i == $i",
                                                "$i < $i",
                                                "$t == $t",
                                                "$b && $b",
                                                "$b || $b",
                                                "!($b)",
                                                "($b) ? $b : $b",
                                                "$i in $l",
                                                "$t in $s",
                                                "$t.startsWith($t)",
                                                "$t.contains($t)",
                                                "$t.matches('a.*')",
                                                "$l.all(@, @ > $i)",
                                                "$s.exists(@, @ == $t)",
                                                "has(object.spec.n)",
                                                "has(object.spec.zz)",
                                                "has(object.zz.y)",
                                                "$d == $d",
                                                "$d < $d",
                                                "$q.isLessThan($q)",
                                                "$y == $y",
                                                "$m == $m",
                                                "$l == $l",
                                                "$r <= $r",
                                                "$l.exists_one(@, @ == $i)",
                                                "sets.contains($l, $l)",
                                                "$l.isSorted()",
                                                "$o < $o"};
constexpr std::array<Template, 22> kIntegers = {"0",
                                                "1",
                                                "-7",
                                                "9223372036854775807",
                                                "object.spec.n",
                                                "$i + $i",
                                                "$i - $i",
                                                "$i * $i",
                                                "$i / $i",
                                                "$i % $i",
                                                "-($i)",
                                                "$l[$i]",
                                                "$t.size()",
                                                "size($l)",
                                                "$l.sum()",
                                                "$l.max()",
                                                "int($t)",
                                                "int($r)",
                                                "$t.indexOf($t)",
                                                "$q.compareTo($q)",
                                                "$d.getMinutes()",
                                                "$o.getHours()"};
constexpr std::array<Template, 10> kReals = {"0.0",     "1.5",     "-2.5e3",     "object.spec.d", "$r + $r",
                                             "$r / $r", "$r * $r", "double($i)", "double($t)",    "-($r)"};
constexpr std::array<Template, 20> kTexts = {"''",
                                             "'a'",
                                             "'aäb'",
                                             "object.metadata.name",
                                             "object.spec.s[$i]",
                                             "$t + $t",
                                             "string($i)",
                                             "string($r)",
                                             "$t.substring($i)",
                                             "$t.upperAscii()",
                                             "$t.replace($t, $t)",
                                             "$s.join(',')",
                                             "$t.charAt($i)",
                                             "($b) ? $t : $t",
                                             "'%s-%d'.format([$t, $i])",
                                             "$t.trim()",
                                             "object.metadata.labels['x']",
                                             "object.metadata.?labels.?q.orValue($t)",
                                             "string($d)",
                                             "$t.find('[a-z]+')"};
constexpr std::array<Template, 14> kLists = {"[]",
                                             "[1, 2, 3]",
                                             "[$i, $i]",
                                             "object.spec.l",
                                             "object.spec.e",
                                             "$l + $l",
                                             "$l.map(@, @ + $i)",
                                             "$l.filter(@, @ > $i)",
                                             "$l.map(@, @ > $i, @ * $i)",
                                             "$l.sort()",
                                             "$l.reverse()",
                                             "$l.slice($i, $i)",
                                             "$l.distinct()",
                                             "$l.transformList(@, v, v + @)"};
constexpr std::array<Template, 8> kTextLists = {"['a', 'b']", "object.spec.s",  "$t.split(',')",
                                                "[$t]",       "$s + $s",        "$s.map(@, @ + $t)",
                                                "$s.sort()",  "$t.findAll('a')"};
constexpr std::array<Template, 6> kMaps = {
    "{}", "{'a': $i}", "object.metadata.labels", "object.spec.m", "{$i: $t}", "{?'k': object.?zz}"};
constexpr std::array<Template, 6> kDurations = {"duration('1h')", "duration('90s')", "$d + $d",
                                                "$d - $d",        "duration($t)",    "-($d)"};
constexpr std::array<Template, 4> kTimes = {"timestamp('2024-02-29T12:30:00Z')", "$o + $d", "$o - $d",
                                            "timestamp($i)"};
constexpr std::array<Template, 5> kQuantities = {"quantity('1Gi')", "quantity('500m')", "$q.add($q)",
                                                 "$q.sub($i)", "quantity($t)"};
constexpr std::array<Template, 12> kDynamics = {"object.spec.n",   "object.spec.nil", "object.spec",
                                                "object",          "object.spec.l",   "object.zz",
                                                "dyn($i)",         "dyn($t)",         "dyn($l)",
                                                "object.spec.m.k", "object.?spec.?n", "$l.map(@, [@])"};

struct SortRow {
  char letter;
  const Template* templates;
  std::size_t count;
};
constexpr std::array<SortRow, kSorts> kSortRows = {{{'b', kBooleans.data(), kBooleans.size()},
                                                    {'i', kIntegers.data(), kIntegers.size()},
                                                    {'r', kReals.data(), kReals.size()},
                                                    {'t', kTexts.data(), kTexts.size()},
                                                    {'l', kLists.data(), kLists.size()},
                                                    {'s', kTextLists.data(), kTextLists.size()},
                                                    {'m', kMaps.data(), kMaps.size()},
                                                    {'d', kDurations.data(), kDurations.size()},
                                                    {'o', kTimes.data(), kTimes.size()},
                                                    {'q', kQuantities.data(), kQuantities.size()},
                                                    {'y', kDynamics.data(), kDynamics.size()}}};

class Drawing {
 public:
  explicit Drawing(Choices& choices) : choices_(choices) {}

  std::string draw(Sort sort, int depth) {
    // A type that does not fit, rarely; what is dynamic, more often.
    if (depth < 3 && choices_.one_in(40)) sort = static_cast<Sort>(choices_.below(kSorts));
    if (choices_.one_in(12)) sort = Sort::dynamic;
    if (!names_.empty() && choices_.one_in(6)) return names_[choices_.below(names_.size())];
    const SortRow& row = kSortRows[static_cast<std::size_t>(sort)];
    const std::size_t simple = std::min<std::size_t>(row.count, 3);
    return fill(row.templates[choices_.below(depth > 0 ? row.count : simple)], depth - 1);
  }

 private:
  std::string fill(Template text, int depth) {
    const bool binds = text.find('@') != Template::npos;
    const std::string name = "x" + std::to_string(names_.size());
    std::string result;
    bool is_bound = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '@') {
        if (!is_bound) names_.push_back(name);
        is_bound = true;
        result += name;
      } else if (text[i] == '$') {
        const std::string part = draw(sort_of(text[++i]), depth);
        const bool is_operand = part.find(' ') != std::string::npos || part.starts_with("-");
        result += is_operand ? "(" + part + ")" : part;
      } else {
        result += text[i];
      }
    }
    if (binds) names_.pop_back();
    return result;
  }
  static Sort sort_of(char letter) {
    std::size_t at = 0;
    while (kSortRows[at].letter != letter) ++at;
    return static_cast<Sort>(at);
  }

  Choices& choices_;
  std::vector<std::string> names_ = {};
};

}  // namespace

std::string draw_expression(Choices& choices, int depth) {
  Drawing drawing(choices);
  const auto sort = static_cast<Sort>(choices.coin() ? 0 : choices.below(kSorts));
  return drawing.draw(sort, depth);
}

document::Value expression_variables() {
  static const document::Value all = document::read_json(R"({"object":{
      "metadata":{"name":"web","labels":{"x":"y"}},
      "spec":{"n":3,"d":0.5,"l":[3,1,2],"s":["b","a"],"b":true,"nil":null,"m":{"k":"v"},"e":[]}},
      "oldObject":null})")
                                         .value();
  return all;
}

}  // namespace fixpoint::generators
