#include "harness/apiserver/cel/unify.h"

namespace fixpoint::apiserver::cel {

namespace {

TypePtr lookup(const Substitution& known, const Type& type) {
  if (type.kind != TypeKind::parameter) return nullptr;
  const auto found = known.find(type.name);
  return found == known.end() ? nullptr : found->second;
}

/// Returns true if `type` does not occur in `within`, also not by what parameters stand for.
bool occurs_not(const Substitution& known, const Type& type, const Type& within) {
  if (is_same_type(type, within)) return false;
  if (within.kind == TypeKind::parameter) {
    const TypePtr stands_for = lookup(known, within);
    return stands_for == nullptr || occurs_not(known, type, *stands_for);
  }
  for (const TypePtr& part : within.of) {
    if (!occurs_not(known, type, *part)) return false;
  }
  return true;
}

bool is_less_specific(const Type& a, const Type& b) {
  if (is_dyn(a) || a.kind == TypeKind::parameter) return true;
  if (is_dyn(b) || b.kind == TypeKind::parameter) return false;
  if (a.kind != b.kind) return false;
  if (a.kind == TypeKind::type) return true;
  if (a.name != b.name || a.of.size() != b.of.size()) return false;
  for (std::size_t i = 0; i < a.of.size(); ++i) {
    if (!is_less_specific(*a.of[i], *b.of[i])) return false;
  }
  return true;
}

bool is_nullable(const Type& type) {
  switch (type.kind) {
    case TypeKind::opaque:
    case TypeKind::message:
    case TypeKind::duration:
    case TypeKind::timestamp:
    case TypeKind::null:
      return true;
    default:
      return false;
  }
}

bool fits(Substitution& known, const TypePtr& wanted, const TypePtr& is);

/// Tries to let the parameter stand for the type.
bool bind(Substitution& known, const TypePtr& type, const TypePtr& parameter, bool& is_bound) {
  is_bound = true;
  if (is_same_type(*type, *parameter)) return true;
  if (const TypePtr before = lookup(known, *parameter)) {
    if (is_same_type(*type, *before)) return true;
    if (!fits(known, type, before)) return false;
    TypePtr joined = most_general(type, before);
    if (occurs_not(known, *parameter, *joined)) known[parameter->name] = std::move(joined);
    return true;
  }
  is_bound = false;
  if (!occurs_not(known, *parameter, *type)) return false;
  known[parameter->name] = type;
  return true;
}

bool fits(Substitution& known, const TypePtr& wanted, const TypePtr& is) {
  bool is_bound = false;
  if (is->kind == TypeKind::parameter) {
    if (bind(known, wanted, is, is_bound)) return true;
    if (is_bound) return false;
  }
  if (wanted->kind == TypeKind::parameter) return bind(known, is, wanted, is_bound);
  if (is_dyn_or_error(*wanted) || is_dyn_or_error(*is)) return true;
  if (wanted->kind == TypeKind::null) return is_nullable(*is);
  if (is->kind == TypeKind::null) return is_nullable(*wanted);
  switch (wanted->kind) {
    case TypeKind::type:
      return is->kind == TypeKind::type;
    case TypeKind::opaque:
    case TypeKind::list:
    case TypeKind::map:
      return wanted->kind == is->kind && wanted->name == is->name && wanted->of.size() == is->of.size() &&
             [&] {
               for (std::size_t i = 0; i < wanted->of.size(); ++i) {
                 if (!fits(known, wanted->of[i], is->of[i])) return false;
               }
               return true;
             }();
    case TypeKind::unknown:
      return false;
    default:
      return wanted->kind == is->kind && wanted->name == is->name;
  }
}

}  // namespace

bool is_dyn(const Type& type) { return type.kind == TypeKind::dyn; }
bool is_dyn_or_error(const Type& type) { return is_dyn(type) || type.kind == TypeKind::error; }

TypePtr unwrapped_optional(const TypePtr& type) {
  if (type->kind == TypeKind::opaque && type->name == "optional_type" && !type->of.empty())
    return type->of[0];
  return nullptr;
}

TypePtr substitute(const Substitution& known, const TypePtr& type, bool closes) {
  if (const TypePtr found = lookup(known, *type)) return substitute(known, found, closes);
  if (type->kind == TypeKind::parameter) return closes ? read_type("dyn") : type;
  if (type->of.empty()) return type;
  std::vector<TypePtr> parts;
  for (const TypePtr& part : type->of) parts.push_back(substitute(known, part, closes));
  return make_type(type->kind, type->name, std::move(parts));
}

bool unify(Substitution& known, const TypePtr& wanted, const TypePtr& is) {
  Substitution tried = known;
  if (!fits(tried, wanted, is)) return false;
  known = std::move(tried);
  return true;
}

bool unify_all(Substitution& known, const std::vector<TypePtr>& wanted, const std::vector<TypePtr>& are) {
  if (wanted.size() != are.size()) return false;
  Substitution tried = known;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!fits(tried, wanted[i], are[i])) return false;
  }
  known = std::move(tried);
  return true;
}

TypePtr most_general(const TypePtr& a, const TypePtr& b) { return is_less_specific(*a, *b) ? a : b; }

}  // namespace fixpoint::apiserver::cel
