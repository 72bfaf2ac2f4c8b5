// Command cloudsql runs the Cloud SQL proxy as a native sidecar in front of all init containers.
package main

import (
	"encoding/json"
	"fmt"
	"regexp"

	"example.io/strangers/admission"
)

const (
	instances = "cloudsql.example.io/instances"
	proxyName = "cloud-sql-proxy"
	volume    = "cloudsql-sockets"
	directory = "/cloudsql"
)

// project:region:instance, or a list of them.
var connection = regexp.MustCompile(`^[a-z0-9.:-]+:[a-z0-9-]+:[a-z0-9-]+$`)
var separator = regexp.MustCompile(`\s*,\s*|\s+`)

type pod struct {
	Metadata struct {
		Annotations map[string]string `json:"annotations"`
	} `json:"metadata"`
	Spec struct {
		Resources json.RawMessage `json:"resources"`
		Volumes   []struct {
			Name     string          `json:"name"`
			EmptyDir json.RawMessage `json:"emptyDir"`
		} `json:"volumes"`
		InitContainers []container `json:"initContainers"`
		Containers     []container `json:"containers"`
	} `json:"spec"`
}

type container struct {
	Name         string  `json:"name"`
	VolumeMounts []mount `json:"volumeMounts"`
}

type mount struct {
	Name      string `json:"name"`
	MountPath string `json:"mountPath"`
}

func proxy(names []string) map[string]any {
	args := []string{"--unix-socket=" + directory, "--structured-logs", "--quitquitquit"}
	return map[string]any{
		"name":            proxyName,
		"image":           "gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.8.1",
		"restartPolicy":   "Always",
		"args":            append(args, names...),
		"securityContext": map[string]any{"allowPrivilegeEscalation": false, "runAsNonRoot": true, "runAsUser": 65532},
		"volumeMounts":    []mount{{volume, directory}},
	}
}

func mounts(list string, containers []container) (patch []admission.Operation) {
next:
	for i, c := range containers {
		if c.Name == proxyName {
			continue
		}
		for _, m := range c.VolumeMounts {
			if m.MountPath == directory {
				continue next
			}
		}
		path := fmt.Sprintf("/spec/%s/%d/volumeMounts", list, i)
		if c.VolumeMounts == nil {
			patch = append(patch, admission.Operation{Op: "add", Path: path, Value: []mount{{volume, directory}}})
		} else {
			patch = append(patch, admission.Operation{Op: "add", Path: path + "/-", Value: mount{volume, directory}})
		}
	}
	return patch
}

func inject(request *admission.Request) ([]admission.Operation, error) {
	var p pod
	if err := json.Unmarshal(request.Object, &p); err != nil {
		return nil, err
	}
	text := p.Metadata.Annotations[instances]
	if text == "" {
		return nil, nil
	}
	names := separator.Split(text, -1)
	for _, name := range names {
		if !connection.MatchString(name) {
			return nil, admission.Denied(fmt.Sprintf("%s: %q is not project:region:instance", instances, name))
		}
	}

	// The mounts go first: the proxy moves the init containers by one.
	patch := append(mounts("initContainers", p.Spec.InitContainers), mounts("containers", p.Spec.Containers)...)
	hasVolume := false
	for _, v := range p.Spec.Volumes {
		if v.Name == volume {
			hasVolume = true
			if v.EmptyDir == nil {
				return nil, admission.Denied("the volume " + volume + " is not an emptyDir")
			}
		}
	}
	socket := map[string]any{"name": volume, "emptyDir": map[string]any{}}
	switch {
	case hasVolume:
	case p.Spec.Volumes == nil:
		patch = append(patch, admission.Operation{Op: "add", Path: "/spec/volumes", Value: []any{socket}})
	default:
		patch = append(patch, admission.Operation{Op: "add", Path: "/spec/volumes/-", Value: socket})
	}
	for _, c := range append(p.Spec.InitContainers, p.Spec.Containers...) {
		if c.Name == proxyName {
			return patch, nil
		}
	}
	if p.Spec.InitContainers == nil {
		patch = append(patch, admission.Operation{Op: "add", Path: "/spec/initContainers", Value: []any{}})
	}
	sidecar := proxy(names)
	if p.Spec.Resources == nil { // else the proxy shares those of the Pod
		sidecar["resources"] = map[string]any{"requests": map[string]string{"cpu": "50m", "memory": "64Mi"}}
	}
	return append(patch, admission.Operation{Op: "add", Path: "/spec/initContainers/0", Value: sidecar}), nil
}

func main() { admission.Serve(inject) }
