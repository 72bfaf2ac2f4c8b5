//go:build !(kubernetes1.29 || kubernetes1.30 || kubernetes1.31)

package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/core"
	podregistry "k8s.io/kubernetes/pkg/registry/core/pod"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// resetFields is what a request cannot set: the status, or all but what a subresource is for.
func resetFields(subresource string) map[fieldpath.APIVersion]fieldpath.Filter {
	var strategy any = podregistry.Strategy
	switch subresource {
	case "ephemeralcontainers":
		strategy = podregistry.EphemeralContainersStrategy
	case "resize":
		strategy = resizeStrategy
	}
	switch resets := strategy.(type) {
	case rest.ResetFieldsFilterStrategy:
		return resets.GetResetFieldsFilter()
	case rest.ResetFieldsStrategy:
		return fieldpath.NewExcludeFilterSetMap(resets.GetResetFields())
	}
	return nil
}

// trackFields does what the server's field tracking does before admission. The time of the request's own entry, and the
// fields that it names, are those of freshlyManaged.
func trackFields(document *caseDocument, pod, old *core.Pod) error {
	scheme := legacyscheme.Scheme
	manager, err := managedfields.NewDefaultFieldManager(builtInTypes(), scheme, scheme, scheme, podKind,
		schema.GroupVersion{Version: runtime.APIVersionInternal}, document.Request.SubResource, resetFields(document.Request.SubResource))
	if err != nil {
		return err
	}
	live := &core.Pod{}
	if old != nil {
		live = old.DeepCopy()
	}
	if len(live.ManagedFields) == 0 {
		live.UID = "" // a Pod that a server has stored has entries, even if the Case leaves them out
	}
	manager.UpdateNoErrors(live, pod, fieldManager)
	own := freshlyManaged()[0]
	for i, entry := range pod.ManagedFields {
		if entry.Manager == fieldManager && entry.Operation == metav1.ManagedFieldsOperationUpdate {
			pod.ManagedFields[i] = own
		}
	}
	return nil
}
