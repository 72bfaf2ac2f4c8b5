// Command runnerdeployment sets defaults of runners, as a defaulter with a type of its own: decode, default,
// encode, and send the difference.
package main

import (
	"encoding/json"

	"example.io/strangers/admission"
)

type metadata map[string]any

type runnerSpec struct {
	Repository string            `json:"repository"`
	Image      string            `json:"image"`
	Labels     []string          `json:"labels,omitempty"`
	Env        map[string]string `json:"env,omitempty"`
	Ephemeral  *bool             `json:"ephemeral,omitempty"`
}

type deploymentSpec struct {
	Replicas *int32     `json:"replicas"`
	Template runnerSpec `json:"template"`
}

type runnerDeployment struct {
	APIVersion string         `json:"apiVersion"`
	Kind       string         `json:"kind"`
	Metadata   metadata       `json:"metadata"`
	Spec       deploymentSpec `json:"spec"`
	Status     map[string]any `json:"status,omitempty"`
}

func (r *runnerDeployment) Default() {
	if r.Spec.Template.Ephemeral == nil {
		ephemeral := true
		r.Spec.Template.Ephemeral = &ephemeral
	}
	if len(r.Spec.Template.Labels) == 0 {
		r.Spec.Template.Labels = []string{"self-hosted"}
	}
}

func main() {
	admission.Serve(func(request *admission.Request) ([]admission.Operation, error) {
		var deployment runnerDeployment
		if err := json.Unmarshal(request.Object, &deployment); err != nil {
			return nil, err
		}
		deployment.Default()
		return admission.PatchFromRaw(request.Object, deployment)
	})
}
