package main

import (
	"context"
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/admissionregistration"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingwebhookconfiguration"
)

// strictDecoder is what the create handler uses for fieldValidation=Strict, which kubectl asks for.
var strictDecoder = legacyscheme.Codecs.DecoderToVersion(jsonInfo.StrictSerializer, runtime.InternalGroupVersioner)

var errNoConfiguration = errors.New("expected a MutatingWebhookConfiguration")

// answerConfiguration says what the server answers to the creation of a MutatingWebhookConfiguration.
func answerConfiguration(v *vector) error {
	object, _, err := strictDecoder.Decode(v.In, nil, nil)
	if err != nil {
		v.Error = err.Error()
		return nil
	}
	configuration, ok := object.(*admissionregistration.MutatingWebhookConfiguration)
	if !ok {
		return errNoConfiguration
	}
	rest.FillObjectMetaSystemFields(configuration)
	ctx := request.WithNamespace(context.Background(), metav1.NamespaceNone)
	errs, err := fieldErrors(rest.BeforeCreate(mutatingwebhookconfiguration.Strategy, ctx, configuration))
	if err != nil {
		return err
	}
	v.Errors = &errs
	return nil
}
