#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/apiserver/cel/syntax.h"

namespace fixpoint::apiserver::cel {

/// A type that an expression can have before it is evaluated. `dyn` fits everywhere.
struct Type {
  enum class Kind {
    error,
    dyn,
    null,
    boolean,
    integer,
    unsigned_integer,
    real,
    text,
    bytes,
    duration,
    timestamp,
    list,
    map,
    type,
    opaque,   ///< with parameters: optional_type(int), and net.IP
    message,  ///< known by its name: Object.spec, kubernetes.Quantity
    parameter,
    unknown  ///< of a member that a type lists without a type
  };
  Kind kind = Kind::dyn;
  std::string name = {};
  std::vector<TypePtr> of = {};
};

using TypeKind = Type::Kind;

/// Reads a type as the tables below write it, such as `map(string, list(dyn))`. A single capital is a
/// parameter.
TypePtr read_type(std::string_view text);
TypePtr make_type(TypeKind kind, std::string name, std::vector<TypePtr> of = {});
TypePtr list_type(TypePtr element);
TypePtr map_type(TypePtr key, TypePtr value);
TypePtr optional_type(TypePtr value);
/// As messages of the checker print it.
std::string type_text(const Type& type);
/// As other messages do: durations by their long name.
std::string long_type_text(const Type& type);
bool is_same_type(const Type& a, const Type& b);

/// The libraries of Kubernetes' environment (k8s.io/apiserver/pkg/cel/environment/base.go).
enum class Library {
  standard,
  urls,
  regex,
  lists,
  strings,
  authorizer,
  optionals,
  quantity,
  strings_2,
  sets,
  validators,
  network,
  formats,
  selectors,
  two_variables,
  semver,
  lists_3,
  json_patch
};

struct LibraryRow {
  Library library;
  const char* name;
  /// The minor whose compatibility version has it, 1.N: its servers evaluate stored expressions with it, and
  /// those of the next minor take new ones. 0 is older than all that is simulated.
  int introduced;
  const char* content;  ///< for the documentation
};
std::span<const LibraryRow> library_rows();

/// One overload of a function: `signature` is `(int, int) bool`, with a dot in front for a receiver.
struct Declaration {
  Library library;
  const char* function;
  const char* overload;
  const char* signature;
};
std::span<const Declaration> standard_declarations();
std::span<const Declaration> extension_declarations();
std::span<const Declaration> kubernetes_declarations();

struct Overload {
  const Declaration* row = nullptr;
  bool is_member = false;
  std::vector<TypePtr> arguments = {};  ///< the receiver first
  TypePtr result = {};
  std::vector<std::string> parameters = {};
};

/// All overloads of a function in order, or nullptr. Read once from the tables.
const std::vector<Overload>* find_function(std::string_view name);
const Overload* find_overload(std::string_view id);

}  // namespace fixpoint::apiserver::cel
