// An example of a defaulter of a custom resource, as operators have them, behind controller-runtime.
// It has a bug: nobody can switch the retention off, because 0 is taken for absent.
package main

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"fixpoint/adapter/adapter"
)

type backupSpec struct {
	Volume        string `json:"volume"`
	Schedule      string `json:"schedule,omitempty"`
	RetentionDays int32  `json:"retentionDays,omitempty"`
	Paused        *bool  `json:"paused,omitempty"`
}

type backup struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              backupSpec `json:"spec"`
}

func (b *backup) DeepCopyObject() runtime.Object {
	copied := *b
	b.ObjectMeta.DeepCopyInto(&copied.ObjectMeta)
	if b.Spec.Paused != nil {
		paused := *b.Spec.Paused
		copied.Spec.Paused = &paused
	}
	return &copied
}

type defaults struct{}

func (defaults) Default(_ context.Context, b *backup) error {
	if b.Spec.Schedule == "" {
		b.Spec.Schedule = "0 3 * * *"
	}
	if b.Spec.RetentionDays == 0 {
		b.Spec.RetentionDays = 30
	}
	return nil
}

func main() {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: "storage.example.io", Version: "v1", Kind: "Backup"}, &backup{})
	adapter.Speak(admission.WithDefaulter(scheme, defaults{}))
}
