#pragma once

#include <array>
#include <string_view>

namespace fixpoint::runner {

// The forms of texts by which a literal of a program is recognised.

/// Values for a key of which nothing else is known: a switch, a number, an amount.
inline constexpr std::array<std::string_view, 3> kValuesOfAnyKey{"true", "1", "64Mi"};

bool is_lower_or_digit(char c);
/// A text like secrets.example.com.
bool is_domain(std::string_view text);
/// A text like settings.json.
bool is_file_name(std::string_view text);
/// The host of a registry of images: docker.io, registry.example.com.
bool is_registry(std::string_view text);
/// A domain that keys may begin with: no registry of images, name of a file or of a Service, path of a field.
bool is_prefix_of_keys(std::string_view text);
/// The name of a label's key, or a value of a label.
bool is_name(std::string_view text);
/// A DNS prefix and a name: agent.example.com/inject. The version of an API group is none.
bool is_prefixed_key(std::string_view text);
/// A name like APP_MODE.
bool is_variable(std::string_view text);
/// An absolute path that is not a pointer into a Pod.
bool is_path(std::string_view text);
/// The name of an object: s3-reader. A constant cannot be mistaken for a plain word: it has a dash.
bool is_name_of_object(std::string_view text);
bool is_constant_name(std::string_view text);
/// A value that switches something off.
bool is_negative(std::string_view text);
/// A key whose presence keeps a webhook from acting: example.com/skip.
bool is_opt_out(std::string_view key);
/// The name of a member anywhere in a Pod: programs list the members that they walk.
bool is_field_of_pod(std::string_view name);
/// The version of an API: v1beta1.
bool is_version(std::string_view text);

}  // namespace fixpoint::runner
