// Command podidentity hands the credentials of a role to the Pods of the service accounts associated with it.
package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"example.io/strangers/admission"
)

const (
	skipAnnotation = "identity.example.io/skip-containers"
	volumeName     = "pod-identity-token"
	directory      = "/var/run/secrets/pods.identity.example.io/serviceaccount"
	audience       = "pods.identity.example.io"
)

// Association of a service account, as namespace/name; the namespace * means each.
var associations = []string{"payments/s3-reader", "*/sqs-worker"}

type object = map[string]any

func associated(namespace, account string) bool {
	for _, association := range associations {
		if association == namespace+"/"+account || association == "*/"+account {
			return true
		}
	}
	return false
}

func list(parent object, key string) []any {
	items, _ := parent[key].([]any)
	return items
}

func has(items []any, key, value string) bool {
	for _, item := range items {
		if item.(object)[key] == value {
			return true
		}
	}
	return false
}

func isToken(volume object) bool {
	projected, _ := volume["projected"].(object)
	for _, source := range list(projected, "sources") {
		token, _ := source.(object)["serviceAccountToken"].(object)
		if token["audience"] == audience {
			return true
		}
	}
	return false
}

func inject(request *admission.Request) ([]admission.Operation, error) {
	var pod object
	if err := json.Unmarshal(request.Object, &pod); err != nil {
		return nil, err
	}
	spec := pod["spec"].(object)
	account, _ := spec["serviceAccountName"].(string)
	if !associated(request.Namespace, account) {
		return nil, nil
	}
	metadata, _ := pod["metadata"].(object)
	annotations, _ := metadata["annotations"].(object)
	text, _ := annotations[skipAnnotation].(string)
	skip := map[string]bool{}
	for _, name := range strings.Split(text, ",") {
		skip[strings.TrimSpace(name)] = true
	}

	var patch []admission.Operation
	add := func(parent object, path, key string, item object) {
		if _, ok := parent[key]; !ok {
			patch = append(patch, admission.Operation{Op: "add", Path: path + "/" + key, Value: []any{}})
			parent[key] = []any{}
		}
		patch = append(patch, admission.Operation{Op: "add", Path: path + "/" + key + "/-", Value: item})
	}
	for _, kind := range []string{"initContainers", "containers"} {
		for i, item := range list(spec, kind) {
			container := item.(object)
			if skip[container["name"].(string)] {
				continue
			}
			path := fmt.Sprintf("/spec/%s/%d", kind, i)
			for _, variable := range []object{
				{"name": "AWS_CONTAINER_CREDENTIALS_FULL_URI", "value": "http://169.254.170.23/v1/credentials"},
				{"name": "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", "value": directory + "/token"},
			} {
				if !has(list(container, "env"), "name", variable["name"].(string)) {
					add(container, path, "env", variable)
				}
			}
			if !has(list(container, "volumeMounts"), "mountPath", directory) {
				add(container, path, "volumeMounts", object{"name": volumeName, "mountPath": directory, "readOnly": true})
			}
		}
	}
	for _, item := range list(spec, "volumes") {
		if volume := item.(object); volume["name"] == volumeName {
			if !isToken(volume) {
				return nil, admission.Denied(fmt.Sprintf("the volume %s has no token for %s", volumeName, audience))
			}
			return patch, nil
		}
	}
	token := object{"audience": audience, "expirationSeconds": 86400, "path": "token"}
	add(spec, "/spec", "volumes", object{"name": volumeName, "projected": object{"sources": []any{object{"serviceAccountToken": token}}}})
	return patch, nil
}

func main() { admission.Serve(inject) }
