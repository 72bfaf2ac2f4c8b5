#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/apiserver/cel/syntax.h"

namespace fixpoint::apiserver::cel {

/// A token of an expression (CEL specification, "Syntax").
struct Token {
  enum class Kind {
    end,
    identifier,
    quoted_identifier,
    integer,
    unsigned_integer,
    real,
    text,
    bytes,
    symbol
  };
  Kind kind = Kind::end;
  std::string text = {};  ///< as it is written
  int at = 0;
};

/// Splits an expression; a character that begins no token is an issue and left out. The last token is the
/// end.
std::vector<Token> split(std::string_view source, std::vector<Issue>& issues);

/// The content of a string or bytes literal as it is written, without `b`; an error in words otherwise.
bool unescape(std::string_view literal, bool is_bytes, std::string& into, std::string& error);

/// The number of a token, with a minus in front if `is_negative`; `error` says if it is out of range.
Datum read_number(const Token& token, bool is_negative, std::string& error);

}  // namespace fixpoint::apiserver::cel
