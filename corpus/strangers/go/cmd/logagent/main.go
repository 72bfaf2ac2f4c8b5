// Command logagent ships what the containers of a Pod write below /var/log/pod.
package main

import (
	"encoding/json"
	"fmt"

	"example.io/strangers/admission"
)

const (
	trigger   = "logs.example.io/ship"
	agentName = "log-agent"
	volume    = "pod-logs"
	directory = "/var/log/pod"
)

type mount struct {
	Name      string `json:"name"`
	MountPath string `json:"mountPath"`
}

type container struct {
	Name         string  `json:"name"`
	VolumeMounts []mount `json:"volumeMounts"`
}

type pod struct {
	Metadata struct {
		Annotations map[string]string `json:"annotations"`
	} `json:"metadata"`
	Spec struct {
		Volumes []struct {
			Name     string         `json:"name"`
			EmptyDir map[string]any `json:"emptyDir"`
		} `json:"volumes"`
		InitContainers []container `json:"initContainers"`
		Containers     []container `json:"containers"`
	} `json:"spec"`
}

type builder struct{ patch []admission.Operation }

func (b *builder) add(path string, value any) {
	b.patch = append(b.patch, admission.Operation{Op: "add", Path: path, Value: value})
}

func (b *builder) mountIn(path string, c container) {
	for _, m := range c.VolumeMounts {
		if m.MountPath == directory {
			return
		}
	}
	if c.VolumeMounts == nil {
		b.add(path+"/volumeMounts", []mount{})
	}
	b.add(path+"/volumeMounts/-", mount{volume, directory})
}

func (b *builder) addVolume(p *pod) error {
	for _, v := range p.Spec.Volumes {
		if v.Name == volume && v.EmptyDir != nil {
			return nil
		}
		if v.Name == volume {
			return admission.Denied("the volume " + volume + " must be an emptyDir")
		}
	}
	if p.Spec.Volumes == nil {
		b.add("/spec/volumes", []any{})
	}
	b.add("/spec/volumes/-", map[string]any{"name": volume, "emptyDir": map[string]string{"sizeLimit": "256Mi"}})
	return nil
}

func hasAgent(containers []container) bool {
	for _, c := range containers {
		if c.Name == agentName {
			return true
		}
	}
	return false
}

func inject(request *admission.Request) ([]admission.Operation, error) {
	var p pod
	if err := json.Unmarshal(request.Object, &p); err != nil {
		return nil, err
	}
	if p.Metadata.Annotations[trigger] != "true" {
		return nil, nil
	}
	b := &builder{}
	if err := b.addVolume(&p); err != nil {
		return nil, err
	}
	if !hasAgent(p.Spec.InitContainers) && !hasAgent(p.Spec.Containers) {
		if p.Spec.InitContainers == nil {
			b.add("/spec/initContainers", []any{})
		}
		// First, so that it has the logs of the init containers too.
		b.add("/spec/initContainers/0", map[string]any{
			"name":          agentName,
			"image":         "ghcr.io/example/log-agent:1.9.0",
			"restartPolicy": "Always",
			"args":          []string{"--follow=" + directory},
			"volumeMounts":  []any{map[string]any{"name": volume, "mountPath": directory, "readOnly": true}},
		})
	}
	for i, c := range p.Spec.InitContainers {
		b.mountIn(fmt.Sprintf("/spec/initContainers/%d", i), c)
	}
	for i, c := range p.Spec.Containers {
		b.mountIn(fmt.Sprintf("/spec/containers/%d", i), c)
	}
	return b.patch, nil
}

func main() { admission.Serve(inject) }
