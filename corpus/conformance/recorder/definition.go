//go:build !(kubernetes1.29 || kubernetes1.30 || kubernetes1.31 || kubernetes1.32 || kubernetes1.33 || kubernetes1.34 || kubernetes1.35)

package main

import (
	"context"
	"errors"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
)

var errNoDefinition = errors.New("expected a CustomResourceDefinition")

// answerDefinition says what the server answers to the creation of a CustomResourceDefinition.
func answerDefinition(v *vector) error {
	object, _, err := apiserver.Codecs.UniversalDecoder(apiextensions.SchemeGroupVersion).Decode(v.In, nil, nil)
	if err != nil {
		v.Error = err.Error()
		return nil
	}
	definition, ok := object.(*apiextensions.CustomResourceDefinition)
	if !ok {
		return errNoDefinition
	}
	rest.FillObjectMetaSystemFields(definition)
	ctx := request.WithNamespace(context.Background(), metav1.NamespaceNone)
	strategy := customresourcedefinition.NewStrategy(apiserver.Scheme)
	errs, err := fieldErrors(rest.BeforeCreate(strategy, ctx, definition))
	if err != nil {
		return err
	}
	v.Errors = &errs
	return nil
}
