//go:build !(kubernetes1.29 || kubernetes1.30 || kubernetes1.31)

package main

import (
	"context"
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage/names"
	"k8s.io/kubernetes/pkg/apis/admissionregistration"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingadmissionpolicy"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingadmissionpolicybinding"
)

var errNoPolicy = errors.New("expected a MutatingAdmissionPolicy or a MutatingAdmissionPolicyBinding")

// anyPolicy is the storage in which a binding finds no policy, so that its params are not asked for.
type anyPolicy struct{}

func (anyPolicy) GetMutatingAdmissionPolicy(context.Context, string) (*admissionregistration.MutatingAdmissionPolicy, error) {
	return nil, errors.New("not found")
}

// anyResource resolves no kind: the authorizer allows everything anyway.
type anyResource struct{}

func (anyResource) Resolve(schema.GroupVersionKind) (schema.GroupVersionResource, error) {
	return schema.GroupVersionResource{}, errors.New("not found")
}

// answerPolicy says what the server answers to the creation of a policy or a binding by someone who may do everything.
func answerPolicy(v *vector) error {
	object, _, err := strictDecoder.Decode(v.In, nil, nil)
	if err != nil {
		v.Error = err.Error()
		return nil
	}
	allow := authorizerfactory.NewAlwaysAllowAuthorizer()
	var strategy rest.RESTCreateStrategy
	var metadata metav1.Object
	switch of := object.(type) {
	case *admissionregistration.MutatingAdmissionPolicy:
		strategy, metadata = mutatingadmissionpolicy.NewStrategy(allow, anyResource{}), of
	case *admissionregistration.MutatingAdmissionPolicyBinding:
		strategy, metadata = mutatingadmissionpolicybinding.NewStrategy(allow, anyPolicy{}, anyResource{}), of
	default:
		return errNoPolicy
	}
	rest.FillObjectMetaSystemFields(metadata)
	if metadata.GetName() == "" && metadata.GetGenerateName() != "" {
		metadata.SetName(names.SimpleNameGenerator.GenerateName(metadata.GetGenerateName()))
	}
	ctx := request.WithUser(request.WithNamespace(context.Background(), metav1.NamespaceNone), &user.DefaultInfo{Name: "someone"})
	errs, err := fieldErrors(rest.BeforeCreate(strategy, ctx, object))
	if err != nil {
		return err
	}
	v.Errors = &errs
	return nil
}
