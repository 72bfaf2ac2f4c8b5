//go:build !(kubernetes1.29 || kubernetes1.30 || kubernetes1.31)

package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/core"
)

// trackFields does what the server's field tracking does before admission. The time of the request's own entry, and the
// fields that it names, are those of freshlyManaged.
func trackFields(document *caseDocument, pod, old *core.Pod) error {
	scheme := legacyscheme.Scheme
	manager, err := managedfields.NewDefaultFieldManager(builtInTypes(), scheme, scheme, scheme, podKind,
		schema.GroupVersion{Version: runtime.APIVersionInternal}, document.Request.SubResource, nil)
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
