#include <array>

#include "harness/apiserver/cel/authorizer.h"
#include "harness/apiserver/cel/functions.h"
#include "harness/apiserver/text/formats.h"

namespace fixpoint::apiserver::cel {

namespace {

using Arguments = std::span<const Datum>;

constexpr const char* kAuthorizerType = "kubernetes.authorization.Authorizer";
constexpr const char* kPathCheckType = "kubernetes.authorization.PathCheck";
constexpr const char* kGroupCheckType = "kubernetes.authorization.GroupCheck";
constexpr const char* kResourceCheckType = "kubernetes.authorization.ResourceCheck";
constexpr const char* kDecisionType = "kubernetes.authorization.Decision";

/// A question that is being put together; what it may become, its type says.
struct QuestionBox : OpaqueBox {
  QuestionBox(const char* of, Authorizer who, AuthorizationQuestion what)
      : type(of), authorizer(std::move(who)), question(std::move(what)) {}
  std::string_view type_name() const override { return type; }
  /// The server finds no two of them equal.
  bool equals(const OpaqueBox&) const override { return false; }
  const char* type;
  Authorizer authorizer;
  AuthorizationQuestion question;
};

struct DecisionBox : OpaqueBox {
  explicit DecisionBox(AuthorizationAnswer is) : answer(std::move(is)) {}
  std::string_view type_name() const override { return kDecisionType; }
  bool equals(const OpaqueBox&) const override { return false; }
  AuthorizationAnswer answer;
};

const QuestionBox& question_of(const Datum& value) { return static_cast<const QuestionBox&>(value.opaque()); }

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\n\r\v\f") == std::string_view::npos;
}

/// The question with one more part; parts that must not be empty have a name.
template <std::string AuthorizationQuestion::* kPart>
Datum with_part(Arguments a, const char* type, const char* name = nullptr) {
  if (name != nullptr && is_blank(a[1].text())) return Datum::error(std::string(name) + " must not be empty");
  AuthorizationQuestion question = question_of(a[0]).question;
  question.*kPart = std::string(a[1].text());
  return Datum::of(new QuestionBox(type, question_of(a[0]).authorizer, std::move(question)));
}

using Question = AuthorizationQuestion;
Datum call_path(Arguments a, const CallContext&) {
  return with_part<&Question::path>(a, kPathCheckType, "path");
}
Datum call_group(Arguments a, const CallContext&) { return with_part<&Question::group>(a, kGroupCheckType); }
Datum call_resource(Arguments a, const CallContext&) {
  return with_part<&Question::resource>(a, kResourceCheckType, "resource");
}
Datum call_sub_resource(Arguments a, const CallContext&) {
  return with_part<&Question::sub_resource>(a, kResourceCheckType);
}
Datum call_namespace(Arguments a, const CallContext&) {
  return with_part<&Question::name_space>(a, kResourceCheckType);
}
Datum call_name(Arguments a, const CallContext&) { return with_part<&Question::name>(a, kResourceCheckType); }
Datum call_field_selector(Arguments a, const CallContext&) {
  return with_part<&Question::field_selector>(a, kResourceCheckType);
}
Datum call_label_selector(Arguments a, const CallContext&) {
  return with_part<&Question::label_selector>(a, kResourceCheckType);
}

Datum call_service_account(Arguments a, const CallContext&) {
  if (!validation::check_dns_subdomain(a[2].text()).empty())
    return Datum::error("Invalid service account name");
  if (!validation::check_dns_label(a[1].text()).empty())
    return Datum::error("Invalid service account namespace");
  AuthorizationQuestion question = question_of(a[0]).question;
  question.user = "system:serviceaccount:" + std::string(a[1].text()) + ":" + std::string(a[2].text());
  return Datum::of(new QuestionBox(kAuthorizerType, question_of(a[0]).authorizer, std::move(question)));
}

Datum call_check(Arguments a, const CallContext&) {
  AuthorizationQuestion question = question_of(a[0]).question;
  question.verb = std::string(a[1].text());
  return Datum::of(new DecisionBox(question_of(a[0]).authorizer(question)));
}

const AuthorizationAnswer& answer_of(const Datum& value) {
  return static_cast<const DecisionBox&>(value.opaque()).answer;
}
Datum call_allowed(Arguments a, const CallContext&) { return Datum::of(answer_of(a[0]).is_allowed); }
Datum call_reason(Arguments a, const CallContext&) { return Datum::of(answer_of(a[0]).reason); }
Datum call_errored(Arguments a, const CallContext&) { return Datum::of(answer_of(a[0]).failed); }
Datum call_error(Arguments a, const CallContext&) { return Datum::of(answer_of(a[0]).error); }

constexpr std::array kAuthorizerBindings = {
    Binding{"authorizer_path", call_path},
    Binding{"authorizer_group", call_group},
    Binding{"authorizer_serviceaccount", call_service_account},
    Binding{"groupcheck_resource", call_resource},
    Binding{"resourcecheck_subresource", call_sub_resource},
    Binding{"resourcecheck_namespace", call_namespace},
    Binding{"resourcecheck_name", call_name},
    Binding{"authorizer_fieldselector", call_field_selector},
    Binding{"authorizer_labelselector", call_label_selector},
    Binding{"pathcheck_check", call_check},
    Binding{"resourcecheck_check", call_check},
    Binding{"decision_allowed", call_allowed},
    Binding{"decision_reason", call_reason},
    Binding{"decision_errored", call_errored},
    Binding{"decision_error", call_error},
};

}  // namespace

Datum authorizer_value(Authorizer authorizer, std::string user) {
  return Datum::of(new QuestionBox(kAuthorizerType, std::move(authorizer), {.user = std::move(user)}));
}

Datum resource_check_value(Authorizer authorizer, AuthorizationQuestion about) {
  return Datum::of(new QuestionBox(kResourceCheckType, std::move(authorizer), std::move(about)));
}

std::span<const Binding> authorizer_bindings() { return kAuthorizerBindings; }

}  // namespace fixpoint::apiserver::cel
