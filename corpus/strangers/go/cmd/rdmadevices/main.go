// Command rdmadevices gives containers one of the node's RDMA adapters.
package main

import (
	"encoding/json"

	"example.io/strangers/admission"
)

const (
	enabled  = "rdma.example.io/enabled"
	resource = "rdma.example.io/hca"
)

// Container is core/v1's, of which the webhook only looks into the resources.
type Container struct {
	Name                     string          `json:"name"`
	Image                    string          `json:"image,omitempty"`
	Command                  []string        `json:"command,omitempty"`
	Args                     []string        `json:"args,omitempty"`
	WorkingDir               string          `json:"workingDir,omitempty"`
	Ports                    json.RawMessage `json:"ports,omitempty"`
	EnvFrom                  json.RawMessage `json:"envFrom,omitempty"`
	Env                      json.RawMessage `json:"env,omitempty"`
	Resources                Resources       `json:"resources"`
	VolumeMounts             json.RawMessage `json:"volumeMounts,omitempty"`
	VolumeDevices            json.RawMessage `json:"volumeDevices,omitempty"`
	LivenessProbe            json.RawMessage `json:"livenessProbe,omitempty"`
	ReadinessProbe           json.RawMessage `json:"readinessProbe,omitempty"`
	StartupProbe             json.RawMessage `json:"startupProbe,omitempty"`
	Lifecycle                json.RawMessage `json:"lifecycle,omitempty"`
	TerminationMessagePath   string          `json:"terminationMessagePath,omitempty"`
	TerminationMessagePolicy string          `json:"terminationMessagePolicy,omitempty"`
	ImagePullPolicy          string          `json:"imagePullPolicy,omitempty"`
	SecurityContext          json.RawMessage `json:"securityContext,omitempty"`
	Stdin                    bool            `json:"stdin,omitempty"`
	StdinOnce                bool            `json:"stdinOnce,omitempty"`
	TTY                      bool            `json:"tty,omitempty"`
}

type Resources struct {
	Limits   map[string]json.RawMessage `json:"limits,omitempty"`
	Requests map[string]json.RawMessage `json:"requests,omitempty"`
}

func request(containers []Container) {
	for i := range containers {
		limits := &containers[i].Resources.Limits
		if *limits == nil {
			*limits = map[string]json.RawMessage{}
		}
		if _, ok := (*limits)[resource]; !ok {
			(*limits)[resource] = json.RawMessage(`"1"`)
		}
	}
}

func mutate(review *admission.Request) ([]admission.Operation, error) {
	var pod struct {
		Metadata struct {
			Annotations map[string]string `json:"annotations"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal(review.Object, &pod); err != nil {
		return nil, err
	}
	if pod.Metadata.Annotations[enabled] != "true" {
		return nil, nil
	}
	var object, spec map[string]json.RawMessage
	if err := json.Unmarshal(review.Object, &object); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(object["spec"], &spec); err != nil {
		return nil, err
	}
	for _, list := range []string{"initContainers", "containers"} {
		if spec[list] == nil {
			continue
		}
		var containers []Container
		err := json.Unmarshal(spec[list], &containers)
		if err != nil {
			return nil, err
		}
		request(containers)
		if spec[list], err = json.Marshal(containers); err != nil {
			return nil, err
		}
	}
	var err error
	if object["spec"], err = json.Marshal(spec); err != nil {
		return nil, err
	}
	return admission.PatchFromRaw(review.Object, object)
}

func main() { admission.Serve(mutate) }
