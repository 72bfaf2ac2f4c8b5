//go:build !(kubernetes1.29 || kubernetes1.30 || kubernetes1.31 || kubernetes1.32 || kubernetes1.33)

package main

import (
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

const (
	numberOrText = "io.k8s.apimachinery.pkg.util.intstr.IntOrString"
	anything     = "__untyped_deduced_"
)

// builtInTypes knows how Pods are merged: from the schemas of the release's client, which are those that the server
// serves but for one type, which these restrict to scalars.
var builtInTypes = sync.OnceValue(func() managedfields.TypeConverter {
	client := applyconfigurations.NewTypeConverter(legacyscheme.Scheme)
	pod, err := client.ObjectToTyped(&corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}})
	if err != nil {
		panic(err)
	}
	types := slices.Clone(pod.Schema().Types)
	place := func(name string) int {
		return slices.IndexFunc(types, func(t schema.TypeDef) bool { return t.Name == name })
	}
	types[place(numberOrText)].Atom = types[place(anything)].Atom
	return managedfields.NewSchemeTypeConverter(legacyscheme.Scheme, &typed.Parser{Schema: schema.Schema{Types: types}})
})
