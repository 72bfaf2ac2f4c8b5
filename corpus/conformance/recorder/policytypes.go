//go:build !(kubernetes1.29 || kubernetes1.30 || kubernetes1.31)

package main

import (
	"sync"

	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// builtInTypes knows how Pods are merged. The server reads the same from the schemas that it serves itself.
var builtInTypes = sync.OnceValue(func() managedfields.TypeConverter {
	return applyconfigurations.NewTypeConverter(legacyscheme.Scheme)
})
