#include "harness/apiserver/cel/token_reader.h"

namespace fixpoint::apiserver::cel {

namespace {

bool is_keyword(std::string_view name) {
  return name == "in" || name == "true" || name == "false" || name == "null";
}

bool begins_expression(const Token& token) {
  if (token.kind == Token::Kind::symbol) {
    return std::string_view("[{(.-!").find(token.text) != std::string_view::npos;
  }
  return token.kind != Token::Kind::end && !(token.kind == Token::Kind::identifier && token.text == "in") &&
         token.kind != Token::Kind::quoted_identifier;
}

}  // namespace

bool TokenReader::is_symbol(const Token& token, std::string_view symbol) {
  if (token.kind == Token::Kind::identifier) return is_keyword(token.text) && token.text == symbol;
  return token.kind == Token::Kind::symbol && token.text == symbol;
}

bool TokenReader::is_name(const Token& token) {
  return token.kind == Token::Kind::identifier && !is_keyword(token.text);
}

void TokenReader::syntax_error(const Token& where, const std::string& message) {
  if (!failed_) issue(where.at, "Syntax error: " + message);
  failed_ = true;
}

void TokenReader::unexpected(const std::string& expected) {
  const bool is_extra = !is_end() && next_ + 1 < tokens_.size() &&
                        (expected == "<EOF>" ? token_after(1).kind == Token::Kind::end
                                             : expected != "<EOF>" && begins_expression(token_after(1)));
  if (is_extra && !failed_) {
    issue(token().at, "Syntax error: extraneous input '" + token().text + "' expecting " + expected);
    ++next_;
    if (expected == "<EOF>") failed_ = true;
    return;
  }
  syntax_error(token(), "mismatched input '" + token().text + "' expecting " + expected);
}

void TokenReader::expect_end(std::string_view symbol) {
  if (accept(symbol) || failed_) return;
  syntax_error(token(),
               "mismatched input '" + token().text + "' expecting {'" + std::string(symbol) + "', ','}");
}

void TokenReader::expect_colon() {
  if (accept(":") || failed_) return;
  if (begins_expression(token())) return expect(":");
  syntax_error(token(), "mismatched input '" + token().text + "' expecting ':'");
}

void TokenReader::expect(std::string_view symbol) {
  if (accept(symbol) || failed_) return;
  syntax_error(token(), "missing '" + std::string(symbol) + "' at '" + token().text + "'");
}

void TokenReader::give_up(std::string message) {
  if (failed_) return;
  issue(kNowhere, std::move(message));
  failed_ = true;
}

}  // namespace fixpoint::apiserver::cel
