#pragma once

#include <string>
#include <string_view>

namespace fixpoint::webhooks {

/// Returns the line of a program's last words that says why it crashed: a panic of Go, the last line of a
/// traceback of Python, the error of Node or Ruby, the exception of Java; empty if there is none. Addresses
/// are left out, so that one crash has one line.
std::string crash_line(std::string_view words);

}  // namespace fixpoint::webhooks
