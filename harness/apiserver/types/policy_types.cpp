#include "harness/apiserver/types/policy_types.h"

#include <algorithm>
#include <iterator>

#include "harness/apiserver/types/metadata_types.h"
#include "harness/apiserver/types/rows.h"

namespace fixpoint::apiserver {

constexpr Field kNamedRuleFields[] = {
    list_of(text("resourceNames")), list_of(text("operations")), list_of(text("apiGroups")),
    list_of(text("apiVersions")),   list_of(text("resources")),  text("scope").pointer(),
};
static constinit const Type kNamedRule{"NamedRuleWithOperations", kNamedRuleFields};

constexpr Field kMatchResourcesFields[] = {
    object("namespaceSelector", kLabelSelector).pointer(),
    object("objectSelector", kLabelSelector).pointer(),
    objects("resourceRules", kNamedRule),
    objects("excludeResourceRules", kNamedRule),
    text("matchPolicy").pointer(),
};
static constinit const Type kMatchResources{"MatchResources", kMatchResourcesFields};

constexpr Field kParamKindFields[] = {
    text("apiVersion"),
    text("kind"),
};
static constinit const Type kParamKind{"ParamKind", kParamKindFields};

constexpr Field kNamedExpressionFields[] = {
    text("name").always(),
    text("expression").always(),
};
static constinit const Type kPolicyVariable{"Variable", kNamedExpressionFields};
static constinit const Type kPolicyCondition{"MatchCondition", kNamedExpressionFields};

constexpr Field kExpressionFields[] = {
    text("expression"),
};
static constinit const Type kApplyConfiguration{"ApplyConfiguration", kExpressionFields};
static constinit const Type kJsonPatch{"JSONPatch", kExpressionFields};

constexpr Field kMutationFields[] = {
    text("patchType").always(),
    object("applyConfiguration", kApplyConfiguration).pointer(),
    object("jsonPatch", kJsonPatch).pointer(),
};
static constinit const Type kMutation{"Mutation", kMutationFields};

constexpr Field kPolicySpecFields[] = {
    object("paramKind", kParamKind).pointer(),
    object("matchConstraints", kMatchResources).pointer(),
    objects("variables", kPolicyVariable),
    objects("mutations", kMutation),
    text("failurePolicy").pointer(),
    objects("matchConditions", kPolicyCondition),
    text("reinvocationPolicy"),
};
static constinit const Type kPolicySpec{"MutatingAdmissionPolicySpec", kPolicySpecFields};

constexpr auto kPolicyFields = object_fields(object("spec", kPolicySpec));
constinit const Type kMutatingAdmissionPolicy{"MutatingAdmissionPolicy", kPolicyFields};

constexpr Field kParamRefFields[] = {
    text("name"),
    text("namespace"),
    object("selector", kLabelSelector).pointer(),
    text("parameterNotFoundAction").pointer(),
};
static constinit const Type kParamRef{"ParamRef", kParamRefFields};

constexpr Field kBindingSpecFields[] = {
    text("policyName"),
    object("paramRef", kParamRef).pointer(),
    object("matchResources", kMatchResources).pointer(),
};
static constinit const Type kBindingSpec{"MutatingAdmissionPolicyBindingSpec", kBindingSpecFields};

constexpr auto kBindingFields = object_fields(object("spec", kBindingSpec));
constinit const Type kMutatingAdmissionPolicyBinding{"MutatingAdmissionPolicyBinding", kBindingFields};

bool knows_policies(std::string_view api_version, int minor) {
  struct Version {
    std::string_view text;
    int since;
  };
  constexpr Version kVersions[] = {{"admissionregistration.k8s.io/v1", 36},
                                   {"admissionregistration.k8s.io/v1beta1", 34},
                                   {"admissionregistration.k8s.io/v1alpha1", 32}};
  return std::any_of(std::begin(kVersions), std::end(kVersions), [&](const Version& version) {
    return version.text == api_version && minor >= version.since;
  });
}

}  // namespace fixpoint::apiserver
