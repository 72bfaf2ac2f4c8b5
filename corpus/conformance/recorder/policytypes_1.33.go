//go:build kubernetes1.32 || kubernetes1.33

package main

import (
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// builtInTypes knows how Pods are merged.
func builtInTypes() managedfields.TypeConverter {
	return applyconfigurations.NewTypeConverter(legacyscheme.Scheme)
}
