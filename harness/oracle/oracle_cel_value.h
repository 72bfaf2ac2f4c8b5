#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/oracle/oracle_json.h"
#include "harness/oracle/oracle_quantity.h"

namespace fixpoint::oracle {

/// An expression that does not compile, or an evaluation that ends with an error.
struct CelFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct CelValue;
using CelList = std::vector<CelValue>;
using CelEntries = std::vector<std::pair<CelValue, CelValue>>;

/// A value of CEL (cel-spec doc/langdef.md#values) or one of Kubernetes' own types.
struct CelValue {
  enum class Is {
    null,
    boolean,
    integer,
    natural,  ///< uint
    real,     ///< double
    text,     ///< string
    bytes,
    list,
    map,
    type,      ///< named by `text`
    duration,  ///< `integer` nanoseconds
    time,      ///< `integer` seconds since 1970 and `nanoseconds`
    optional,  ///< `elements` has its value, if there is one
    object,    ///< `Object{…}` or `JSONPatch{…}`: `text` is the name, `entries` are the fields
    quantity,
    question,  ///< an authorizer, a check, or a decision: `text` says which, `entries` are its parts
  };
  Is is = Is::null;
  bool truth = false;
  std::int64_t integer = 0;
  std::uint64_t natural = 0;
  double real = 0;
  int nanoseconds = 0;
  std::string text = {};
  Amount amount = {};
  std::shared_ptr<const CelList> elements = {};
  std::shared_ptr<const CelEntries> entries = {};
  bool from_document = false;  ///< a list or a map that is a part of a document, not made by an expression
  bool is_joined = false;      ///< a list that is the sum of two lists with elements

  bool has_value() const { return !elements->empty(); }
  const CelValue& held() const { return elements->front(); }
};

CelValue cel_boolean(bool truth);
CelValue cel_integer(std::int64_t integer);
CelValue cel_natural(std::uint64_t natural);
CelValue cel_real(double real);
CelValue cel_text(std::string text);
CelValue cel_bytes(std::string bytes);
CelValue cel_type(std::string name);
CelValue cel_list(CelList elements);
CelValue cel_map(CelEntries entries);
CelValue cel_none();
CelValue cel_some(CelValue value);
CelValue cel_duration(std::int64_t nanoseconds);
CelValue cel_time(std::int64_t seconds, int nanoseconds);
/// `text` is what was parsed; a sum has none.
CelValue cel_quantity(Amount amount, std::string text = "");
/// A document as expressions see it: whole numbers are int, all others double.
CelValue cel_of(const Json& document);

/// The name of a value's type, as `type()` has it.
std::string cel_type_name(const CelValue& value);
/// `==`: numbers of all types by what they count, values of different types are different.
bool cel_is_equal(const CelValue& a, const CelValue& b);
/// Orders two values; throws CelFailed for those without an order.
enum class CelOrder { less, same, greater };
CelOrder cel_order(const CelValue& a, const CelValue& b);

/// A double as `string()` writes it: the shortest digits, with an exponent below 1e-4 and from 1e6 on.
std::string cel_real_text(double real);
/// A time in RFC 3339 with the fraction that it has; a duration in seconds with an `s`.
std::string cel_time_text(const CelValue& time);
std::string cel_duration_text(const CelValue& duration);
/// Reads a time of RFC 3339, or a duration as Go writes it (`1h30m`, `-1.5s`); throws CelFailed.
CelValue cel_read_time(const std::string& text);
CelValue cel_read_duration(const std::string& text);

/// The code points of a UTF-8 text, each with its bytes.
std::vector<std::string> cel_characters(const std::string& text);

}  // namespace fixpoint::oracle
