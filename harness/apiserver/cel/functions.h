#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "harness/apiserver/cel/cel_value.h"

namespace fixpoint::apiserver::cel {

/// A regular expression in RE2's syntax, compiled.
class Pattern;
/// Compiles one, or returns null with the message of Go's regexp package.
std::shared_ptr<const Pattern> compile_pattern(std::string_view text, std::string& error);

/// The context of a call besides its arguments.
struct CallContext {
  const Pattern* pattern = nullptr;  ///< of a constant argument, compiled once
};

/// Computes a function's result, given arguments without errors; the receiver is the first.
using Function = Datum (*)(std::span<const Datum> arguments, const CallContext& context);

/// The function that an overload's id or, for functions that look at their arguments themselves, the
/// function's name stands for.
struct Binding {
  const char* id;
  Function function;
};

std::span<const Binding> standard_bindings();
std::span<const Binding> time_bindings();
std::span<const Binding> string_bindings();
std::span<const Binding> format_bindings();
std::span<const Binding> list_bindings();
std::span<const Binding> optional_bindings();
std::span<const Binding> pattern_bindings();
std::span<const Binding> quantity_bindings();
std::span<const Binding> network_bindings();
std::span<const Binding> url_bindings();
std::span<const Binding> semver_bindings();
std::span<const Binding> named_format_bindings();
std::span<const Binding> authorizer_bindings();

/// The function of an id, or nullptr if it is not supported yet.
Function find_binding(std::string_view id);

/// Which argument of a function is a pattern, or -1.
int pattern_argument(std::string_view function);

/// As Go's `%v` prints a value in messages.
std::string message_text(const Datum& value);

/// As Go's `%T` prints the type of a value.
std::string go_type_name(const Datum& value);

/// `no such overload: f(int, string)`.
Datum no_such_overload(std::string_view function, std::span<const Datum> arguments);

}  // namespace fixpoint::apiserver::cel
