#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/apiserver/cel/lexer.h"

namespace fixpoint::apiserver::cel {

/// The tokens of an expression in the order in which a grammar takes them. After the first syntax error, in
/// the words of the server's parser, it takes no more.
class TokenReader {
 public:
  /// `issues` must outlive it.
  TokenReader(std::vector<Token> tokens, std::vector<Issue>& issues)
      : tokens_(std::move(tokens)), issues_(issues) {}

  const Token& token() const { return tokens_[next_]; }
  const Token& token_after(std::size_t count) const {
    return tokens_[std::min(next_ + count, tokens_.size() - 1)];
  }
  bool is_end() const { return token().kind == Token::Kind::end; }
  bool at(std::string_view symbol) const { return is_symbol(token(), symbol); }
  std::size_t place() const { return next_; }
  void skip(std::size_t count = 1) { next_ += count; }
  /// Takes the symbol if it is next.
  bool accept(std::string_view symbol) {
    if (failed_ || !at(symbol)) return false;
    ++next_;
    return true;
  }
  void expect(std::string_view symbol);
  void expect_colon();
  /// Takes the end of a list, a map or a message, behind an element.
  void expect_end(std::string_view symbol);
  /// The token does not fit where `expected` does.
  void unexpected(const std::string& expected);

  bool failed() const { return failed_; }
  void issue(int place, std::string message) { issues_.push_back({place, std::move(message)}); }
  void syntax_error(const Token& where, const std::string& message);
  /// Ends the reading with an issue of no place.
  void give_up(std::string message);

  static bool is_symbol(const Token& token, std::string_view symbol);
  static bool is_name(const Token& token);

 private:
  std::vector<Token> tokens_;
  std::vector<Issue>& issues_;
  std::size_t next_ = 0;
  bool failed_ = false;
};

}  // namespace fixpoint::apiserver::cel
