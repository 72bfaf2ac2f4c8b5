// Command gcpcredentials is minikube's gcp-auth addon: every Pod gets the Google credentials of the host.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"example.io/strangers/admission"
)

const (
	credentials   = "GOOGLE_APPLICATION_CREDENTIALS"
	mountPath     = "/google-app-creds.json"
	volumeName    = "gcp-creds"
	hostFile      = "/var/lib/minikube/google_application_credentials.json"
	systemSpace   = "kube-system"
	defaultTarget = "/var/lib/minikube/google_cloud_project"
)

// Every name under which a library looks for the project.
var projectAliases = []string{
	"PROJECT_ID", "GCP_PROJECT", "GCLOUD_PROJECT", "GOOGLE_CLOUD_PROJECT", "CLOUDSDK_CORE_PROJECT",
}

// The lists stay raw, so that nothing of the user's own elements gets lost.
type container struct {
	Name         string            `json:"name"`
	Env          []json.RawMessage `json:"env"`
	VolumeMounts []json.RawMessage `json:"volumeMounts"`
}

type pod struct {
	Spec struct {
		Containers []container       `json:"containers"`
		Volumes    []json.RawMessage `json:"volumes"`
	} `json:"spec"`
}

type env struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type mount struct {
	Name      string `json:"name"`
	MountPath string `json:"mountPath"`
	ReadOnly  bool   `json:"readOnly"`
}

type webhook struct {
	fixed   bool
	project string
}

// named tells whether a list of a container or Pod holds an element whose key has the value.
func named(list []json.RawMessage, key, value string) bool {
	for _, element := range list {
		var fields map[string]any
		if json.Unmarshal(element, &fields) == nil && fields[key] == value {
			return true
		}
	}
	return false
}

func appended(list []json.RawMessage, elements ...any) []any {
	all := []any{}
	for _, element := range list {
		all = append(all, element)
	}
	return append(all, elements...)
}

func (w webhook) wanted() []env {
	variables := []env{{credentials, mountPath}}
	if w.project != "" {
		for _, alias := range projectAliases {
			variables = append(variables, env{alias, w.project})
		}
	}
	return variables
}

func (w webhook) handle(request *admission.Request) ([]admission.Operation, error) {
	if request.Namespace == systemSpace {
		return nil, nil
	}
	var p pod
	if err := json.Unmarshal(request.Object, &p); err != nil {
		return nil, err
	}
	var patch []admission.Operation
	mounted := false
	for i, c := range p.Spec.Containers {
		at := fmt.Sprintf("/spec/containers/%d", i)
		var fresh []any
		for _, variable := range w.wanted() {
			if w.fixed && named(c.Env, "name", variable.Name) {
				continue
			}
			fresh = append(fresh, variable)
		}
		if w.fixed && named(c.Env, "name", credentials) {
			// The user brings credentials of their own.
		} else if !named(c.VolumeMounts, "mountPath", mountPath) {
			mounted = true
			patch = append(patch, admission.Operation{Op: "add", Path: at + "/volumeMounts",
				Value: appended(c.VolumeMounts, mount{volumeName, mountPath, true})})
		}
		if len(fresh) > 0 {
			patch = append(patch, admission.Operation{Op: "add", Path: at + "/env",
				Value: appended(c.Env, fresh...)})
		}
	}
	if mounted && !named(p.Spec.Volumes, "name", volumeName) {
		path := map[string]string{"path": hostFile, "type": "File"}
		volume := map[string]any{"name": volumeName, "hostPath": path}
		patch = append(patch, admission.Operation{Op: "add", Path: "/spec/volumes",
			Value: appended(p.Spec.Volumes, volume)})
	}
	return patch, nil
}

// readProject gives the host's project, or nothing where the user set none.
func readProject() string {
	path := os.Getenv("GOOGLE_CLOUD_PROJECT_FILE")
	if path == "" {
		path = defaultTarget
	}
	if text, err := os.ReadFile(path); err == nil {
		return strings.TrimSpace(string(text))
	}
	return os.Getenv("MINIKUBE_GCP_PROJECT")
}

func main() {
	w := webhook{fixed: len(os.Args) == 2 && os.Args[1] == "fixed", project: readProject()}
	admission.Serve(w.handle)
}
