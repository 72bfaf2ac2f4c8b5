// Command meshproxy puts Pods of meshed namespaces behind the mesh's proxy.
package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"example.io/strangers/admission"
)

const (
	skipPorts = "mesh.example.io/skip-outbound-ports"
	initName  = "mesh-init"
	proxyName = "mesh-proxy"
	proxyUID  = 2102
)

type container struct {
	Name            string           `json:"name"`
	Image           string           `json:"image"`
	RestartPolicy   string           `json:"restartPolicy,omitempty"`
	Args            []string         `json:"args,omitempty"`
	SecurityContext *securityContext `json:"securityContext,omitempty"`
}

type securityContext struct {
	RunAsUser    *int64        `json:"runAsUser,omitempty"`
	RunAsNonRoot *bool         `json:"runAsNonRoot,omitempty"`
	Capabilities *capabilities `json:"capabilities,omitempty"`
}

type capabilities struct {
	Add []string `json:"add,omitempty"`
}

// pod is read only: what it does not know stays as it was sent.
type pod struct {
	Metadata struct {
		Annotations map[string]string `json:"annotations"`
	} `json:"metadata"`
	Spec struct {
		HostNetwork    bool `json:"hostNetwork"`
		InitContainers []struct {
			Name string `json:"name"`
		} `json:"initContainers"`
		Containers []struct {
			Name string `json:"name"`
		} `json:"containers"`
	} `json:"spec"`
}

func pointer[T any](value T) *T { return &value }

func ports(text string) (string, error) {
	var all []string
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		number, err := strconv.ParseUint(part, 10, 16)
		if err != nil || number == 0 {
			return "", admission.Denied(fmt.Sprintf("%s: %q is no port", skipPorts, part))
		}
		all = append(all, strconv.FormatUint(number, 10))
	}
	return strings.Join(all, ","), nil
}

func inject(request *admission.Request) ([]admission.Operation, error) {
	var p pod
	if err := json.Unmarshal(request.Object, &p); err != nil {
		return nil, err
	}
	if p.Spec.HostNetwork {
		return nil, nil // its traffic is the node's
	}
	skipped, err := ports(p.Metadata.Annotations[skipPorts])
	if err != nil {
		return nil, err
	}
	present := map[string]bool{}
	for _, c := range p.Spec.InitContainers {
		present[c.Name] = true
	}
	for _, c := range p.Spec.Containers {
		present[c.Name] = true
	}

	args := []string{"--proxy-uid=" + strconv.Itoa(proxyUID)}
	if skipped != "" {
		args = append(args, "--outbound-ports-to-ignore="+skipped)
	}
	// Each goes in front, the proxy first, so that the redirection is there before it.
	wanted := []container{
		{Name: proxyName, Image: "cr.example.io/mesh/proxy:2.14.9", RestartPolicy: "Always",
			SecurityContext: &securityContext{RunAsUser: pointer[int64](proxyUID), RunAsNonRoot: pointer(true)}},
		{Name: initName, Image: "cr.example.io/mesh/init:2.14.9", Args: args,
			SecurityContext: &securityContext{RunAsUser: pointer[int64](0), RunAsNonRoot: pointer(false), Capabilities: &capabilities{Add: []string{"NET_ADMIN", "NET_RAW"}}}},
	}
	var patch []admission.Operation
	for _, c := range wanted {
		if present[c.Name] {
			continue
		}
		if p.Spec.InitContainers == nil && len(patch) == 0 {
			patch = append(patch, admission.Operation{Op: "add", Path: "/spec/initContainers", Value: []any{}})
		}
		patch = append(patch, admission.Operation{Op: "add", Path: "/spec/initContainers/0", Value: c})
	}
	return patch, nil
}

func main() { admission.Serve(inject) }
