// Command archaffinity keeps Pods off nodes for whose processors their images are not built.
package main

import (
	"bytes"
	"encoding/json"

	"example.io/strangers/admission"
)

const (
	label   = "arch.example.io/only"
	archKey = "kubernetes.io/arch"
)

type object = map[string]any

func child(parent object, key string) object {
	value, ok := parent[key].(object)
	if !ok {
		value = object{}
		parent[key] = value
	}
	return value
}

func items(parent object, key string) []any {
	value, _ := parent[key].([]any)
	return value
}

func namesArch(term object) bool {
	for _, item := range items(term, "matchExpressions") {
		if item.(object)["key"] == archKey {
			return true
		}
	}
	return false
}

func constrain(pod object, arch string) {
	spec := pod["spec"].(object)
	if selector, _ := spec["nodeSelector"].(object); selector[archKey] != nil {
		return
	}
	expression := object{"key": archKey, "operator": "In", "values": []any{arch}}
	required := child(child(child(spec, "affinity"), "nodeAffinity"), "requiredDuringSchedulingIgnoredDuringExecution")
	terms := items(required, "nodeSelectorTerms")
	if len(terms) == 0 {
		required["nodeSelectorTerms"] = []any{object{"matchExpressions": []any{expression}}}
		return
	}
	// One term is enough for a node, so each needs the expression; an empty term takes no node at all.
	for _, item := range terms {
		term := item.(object)
		empty := len(items(term, "matchExpressions")) == 0 && len(items(term, "matchFields")) == 0
		if !empty && !namesArch(term) {
			term["matchExpressions"] = append(items(term, "matchExpressions"), expression)
		}
	}
}

func mutate(request *admission.Request) ([]admission.Operation, error) {
	decoder := json.NewDecoder(bytes.NewReader(request.Object))
	decoder.UseNumber()
	var pod object
	if err := decoder.Decode(&pod); err != nil {
		return nil, err
	}
	metadata, _ := pod["metadata"].(object)
	labels, _ := metadata["labels"].(object)
	switch arch, _ := labels[label].(string); arch {
	case "":
		return nil, nil
	case "amd64", "arm64", "ppc64le", "s390x":
		constrain(pod, arch)
		return admission.PatchFromRaw(request.Object, pod)
	default:
		return nil, admission.Denied("label " + label + ": no node has the processor " + arch)
	}
}

func main() { admission.Serve(mutate) }
