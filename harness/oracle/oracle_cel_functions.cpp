#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "harness/oracle/oracle_cel.h"
#include "harness/oracle/oracle_cel_texts.h"

namespace fixpoint::oracle {

namespace {

using Is = CelValue::Is;
using Arguments = std::vector<CelValue>;

[[noreturn]] void no_overload() { throw CelFailed("no such overload"); }

void want(const CelValue& value, Is is) {
  if (value.is != is) no_overload();
}

std::int64_t length_of(const CelValue& value) {
  if (value.is == Is::text) return static_cast<std::int64_t>(cel_characters(value.text).size());
  if (value.is == Is::bytes) return static_cast<std::int64_t>(value.text.size());
  if (value.is == Is::list) return static_cast<std::int64_t>(value.elements->size());
  if (value.is == Is::map) return static_cast<std::int64_t>(value.entries->size());
  no_overload();
}

CelValue is_within(const Arguments& of) {
  const CelValue& range = of[1];
  if (range.is == Is::list) {
    return cel_boolean(std::any_of(range.elements->begin(), range.elements->end(),
                                   [&](const CelValue& one) { return cel_is_equal(one, of[0]); }));
  }
  want(range, Is::map);
  return cel_boolean(cel_optional_member(range, of[0]).has_value());
}

CelValue is_ordered(const std::string& sign, const CelValue& a, const CelValue& b) {
  const CelOrder order = cel_order(a, b);
  const bool is_same = order == CelOrder::same && sign.ends_with('=');
  return cel_boolean(is_same || order == (sign[0] == '<' ? CelOrder::less : CelOrder::greater));
}

CelValue to_integer(const CelValue& value) {
  constexpr double kMax = 0x1p63;
  if (value.is == Is::integer) return value;
  if (value.is == Is::natural && value.natural >> 63 == 0)
    return cel_integer(static_cast<std::int64_t>(value.natural));
  if (value.is == Is::real && value.real > -kMax && value.real < kMax)
    return cel_integer(static_cast<std::int64_t>(value.real));
  if (value.is == Is::time || value.is == Is::duration) return cel_integer(value.integer);
  if (value.is == Is::text) return cel_integer(whole_number_in(value.text));
  if (value.is == Is::natural || value.is == Is::real) throw CelFailed("integer overflow");
  no_overload();
}

CelValue to_natural(const CelValue& value) {
  if (value.is == Is::natural) return value;
  if (value.is == Is::integer && value.integer >= 0)
    return cel_natural(static_cast<std::uint64_t>(value.integer));
  if (value.is == Is::real && value.real >= 0 && value.real < 0x1p64)
    return cel_natural(static_cast<std::uint64_t>(value.real));
  if (value.is == Is::text) return cel_natural(natural_number_in(value.text));
  if (value.is == Is::integer || value.is == Is::real) throw CelFailed("unsigned integer overflow");
  no_overload();
}

CelValue to_real(const CelValue& value) {
  if (value.is == Is::real) return value;
  if (value.is == Is::integer) return cel_real(static_cast<double>(value.integer));
  if (value.is == Is::natural) return cel_real(static_cast<double>(value.natural));
  if (value.is == Is::text) return cel_real(real_number_in(value.text));
  no_overload();
}

CelValue to_text(const CelValue& value) {
  switch (value.is) {
    case Is::text:
      return value;
    case Is::boolean:
      return cel_text(value.truth ? "true" : "false");
    case Is::integer:
      return cel_text(std::to_string(value.integer));
    case Is::natural:
      return cel_text(std::to_string(value.natural));
    case Is::real:
      return cel_text(cel_real_text(value.real));
    case Is::bytes:
      if (!is_valid_utf8(value.text)) throw CelFailed("invalid UTF-8");
      return cel_text(value.text);
    case Is::time:
      return cel_text(cel_time_text(value));
    case Is::duration:
      return cel_text(cel_duration_text(value));
    default:
      no_overload();
  }
}

CelValue to_boolean(const CelValue& value) {
  if (value.is == Is::boolean) return value;
  want(value, Is::text);
  for (const char* word : {"1", "t", "T", "true", "TRUE", "True"})
    if (value.text == word) return cel_boolean(true);
  for (const char* word : {"0", "f", "F", "false", "FALSE", "False"})
    if (value.text == word) return cel_boolean(false);
  throw CelFailed("no boolean");
}

CelValue to_time(const CelValue& value) {
  if (value.is == Is::time) return value;
  if (value.is == Is::integer) return cel_time(value.integer, 0);
  want(value, Is::text);
  return cel_read_time(value.text);
}

CelValue to_duration(const CelValue& value) {
  if (value.is == Is::duration) return value;
  if (value.is == Is::integer) return cel_duration(value.integer);
  want(value, Is::text);
  return cel_read_duration(value.text);
}

CelValue to_bytes(const CelValue& value) {
  if (value.is != Is::bytes) want(value, Is::text);
  return cel_bytes(value.text);
}

bool is_zero(const CelValue& value) {
  switch (value.is) {
    case Is::null:
      return true;
    case Is::boolean:
      return !value.truth;
    case Is::integer:
    case Is::duration:
      return value.integer == 0;
    case Is::natural:
      return value.natural == 0;
    case Is::real:
      return value.real == 0;
    case Is::text:
    case Is::bytes:
      return value.text.empty();
    case Is::list:
      return value.elements->empty();
    case Is::map:
    case Is::object:
      return value.entries->empty();
    case Is::optional:
      return !value.has_value();
    default:
      return false;
  }
}

// Lists (apiserver/pkg/cel/library/lists.go).

CelValue sum_of(const CelList& list) {
  if (list.empty()) return cel_integer(0);
  const Is is = list[0].is;
  if (is != Is::integer && is != Is::natural && is != Is::real && is != Is::duration) no_overload();
  CelValue sum = list[0];
  for (std::size_t i = 1; i < list.size(); ++i) sum = cel_arithmetic("+", sum, list[i]);
  return sum;
}

void must_have_order(const CelValue& value) {
  const bool has_none = value.is == Is::null || value.is == Is::list || value.is == Is::map ||
                        value.is == Is::type || value.is == Is::optional || value.is == Is::object ||
                        value.is == Is::quantity || value.is == Is::question;
  if (has_none) throw CelFailed("no such overload");
}

CelValue extreme_of(const CelList& list, CelOrder wanted) {
  if (list.empty()) throw CelFailed("an empty list has no least and no greatest element");
  CelValue best = list[0];
  for (const CelValue& one : list) must_have_order(one);
  for (const CelValue& one : list)
    if (cel_order(one, best) == wanted) best = one;
  return best;
}

CelValue is_sorted(const CelList& list) {
  if (!list.empty()) must_have_order(list[0]);
  for (std::size_t i = 1; i < list.size(); ++i) {
    must_have_order(list[i]);
    if (cel_order(list[i], list[i - 1]) == CelOrder::less) return cel_boolean(false);
  }
  return cel_boolean(true);
}

CelValue distinct(const CelList& list) {
  CelList kept;
  for (const CelValue& one : list) {
    const auto is_same = [&](const CelValue& other) { return cel_is_equal(one, other); };
    if (std::none_of(kept.begin(), kept.end(), is_same)) kept.push_back(one);
  }
  return cel_list(std::move(kept));
}

void flatten(const CelList& list, std::int64_t depth, CelList& into) {
  for (const CelValue& one : list) {
    if (one.is == Is::list && depth > 0) {
      flatten(*one.elements, depth - 1, into);
    } else {
      into.push_back(one);
    }
  }
}

CelValue list_function(const std::string& name, const Arguments& of) {
  const CelList& list = *of[0].elements;
  if (of.size() == 1) {
    if (name == "sum") return sum_of(list);
    if (name == "min") return extreme_of(list, CelOrder::less);
    if (name == "max") return extreme_of(list, CelOrder::greater);
    if (name == "isSorted") return is_sorted(list);
    if (name == "distinct") return distinct(list);
    if (name == "reverse") return cel_list(CelList(list.rbegin(), list.rend()));
    if (name == "first") return list.empty() ? cel_none() : cel_some(list.front());
    if (name == "last") return list.empty() ? cel_none() : cel_some(list.back());
    if (name == "sort") {
      CelList sorted = list;
      std::stable_sort(sorted.begin(), sorted.end(), [](const CelValue& a, const CelValue& b) {
        return cel_order(a, b) == CelOrder::less;
      });
      return cel_list(std::move(sorted));
    }
  }
  if (name == "flatten" && of.size() <= 2) {
    if (of.size() == 2 && of[1].integer < 0) throw CelFailed("a negative depth");
    CelList flat;
    flatten(list, of.size() == 2 ? of[1].integer : 1, flat);
    return cel_list(std::move(flat));
  }
  if (name == "slice" && of.size() == 3) {
    const std::int64_t begin = of[1].integer, end = of[2].integer;
    if (begin < 0 || end < begin || end > length_of(of[0])) throw CelFailed("no such part of the list");
    return cel_list(CelList(list.begin() + begin, list.begin() + end));
  }
  if ((name == "indexOf" || name == "lastIndexOf") && of.size() == 2) {
    std::int64_t found = -1;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (cel_is_equal(list[i], of[1]) && (found < 0 || name == "lastIndexOf"))
        found = static_cast<std::int64_t>(i);
    }
    return cel_integer(found);
  }
  if (name == "join" && of.size() <= 2) return join_texts(list, of.size() == 2 ? of[1].text : "");
  throw Unsupported("the function " + name + " of lists");
}

// Quantities (apiserver/pkg/cel/library/quantity.go).

CelValue quantity_function(const std::string& name, const Arguments& of) {
  const Amount& amount = of[0].amount;
  if (of.size() == 2) {
    Amount other = of[1].amount;
    if (of[1].is == Is::integer) other = *parse_amount(std::to_string(of[1].integer));
    if (name == "isGreaterThan") return cel_boolean(other < amount);
    if (name == "isLessThan") return cel_boolean(amount < other);
    if (name == "compareTo") return cel_integer(amount.compare(other));
    if (name == "sub") other.negative = !other.negative && !other.is_zero();
    if (name == "sub" || name == "add") return cel_quantity(amount.plus(other));
  }
  if (name == "sign") return cel_integer(amount.is_zero() ? 0 : amount.negative ? -1 : 1);
  const std::string& text = of[0].text;
  if (name == "isInteger" || name == "asInteger") {
    // Where the value fits into 64 bits is a question of its spelling.
    const bool is_plain =
        !text.empty() && text.size() < 18 && text.find_first_not_of("0123456789", 1) == std::string::npos;
    if (is_plain) return name == "isInteger" ? cel_boolean(true) : cel_integer(whole_number_in(text));
  }
  throw Unsupported("the function " + name + " of quantities");
}

CelValue optional_function(const std::string& name, const CelValue& of) {
  if (name == "hasValue") return cel_boolean(of.has_value());
  if (name != "value") throw Unsupported("the function " + name + " of optionals");
  if (!of.has_value()) throw CelFailed("optional.none() dereference");
  return of.held();
}

/// The functions of one argument, with or without a target.
const std::map<std::string, std::function<CelValue(const CelValue&)>>& conversions() {
  static const std::map<std::string, std::function<CelValue(const CelValue&)>> all{
      {"int", to_integer},
      {"uint", to_natural},
      {"double", to_real},
      {"string", to_text},
      {"bool", to_boolean},
      {"bytes", to_bytes},
      {"timestamp", to_time},
      {"duration", to_duration},
      {"dyn", [](const CelValue& of) { return of; }},
      {"type", [](const CelValue& of) { return cel_type(cel_type_name(of)); }},
      {"size", [](const CelValue& of) { return cel_integer(length_of(of)); }},
      {"!",
       [](const CelValue& of) {
         want(of, Is::boolean);
         return cel_boolean(!of.truth);
       }},
      {"-", cel_negative},
      {"optional.of", cel_some},
      {"optional.ofNonZeroValue", [](const CelValue& of) { return is_zero(of) ? cel_none() : cel_some(of); }},
      {"quantity",
       [](const CelValue& of) {
         want(of, Is::text);
         const auto amount = parse_amount(of.text);
         if (!amount) throw CelFailed("no quantity");
         return cel_quantity(*amount, of.text);
       }},
      {"isQuantity", [](const CelValue& of) { return cel_boolean(parse_amount(of.text).has_value()); }},
      {"jsonpatch.escapeKey", [](const CelValue& of) {
         want(of, Is::text);
         std::string escaped;
         for (const char c : of.text) escaped += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
         return cel_text(std::move(escaped));
       }}};
  return all;
}

}  // namespace

CelValue call_cel_function(const std::string& name, bool has_target, const std::vector<CelValue>& of) {
  if (!has_target && of.size() == 2) {
    if (name == "==" || name == "!=") return cel_boolean(cel_is_equal(of[0], of[1]) == (name == "=="));
    if (name == "in") return is_within(of);
    if (name[0] == '<' || name[0] == '>') return is_ordered(name, of[0], of[1]);
    if (std::string_view("+-*/%").find(name) != std::string_view::npos)
      return cel_arithmetic(name, of[0], of[1]);
  }
  if (!has_target && of.empty() && name == "optional.none") return cel_none();
  const auto conversion = conversions().find(name);
  if (of.size() == 1 && conversion != conversions().end() && (!has_target || name == "size"))
    return conversion->second(of[0]);
  if (!has_target && (name == "matches" || name == "strings.quote")) return text_function(name, of);
  if (!has_target) throw Unsupported("the function " + name);
  switch (of[0].is) {
    case Is::list:
      return list_function(name, of);
    case Is::text:
      return text_function(name, of);
    case Is::quantity:
      return quantity_function(name, of);
    case Is::optional:
      return optional_function(name, of[0]);
    case Is::time:
    case Is::duration:
      return time_function(name, of);
    default:
      break;
  }
  if (is_known_member_function(name)) no_overload();
  throw Unsupported("the function " + name);
}

}  // namespace fixpoint::oracle
