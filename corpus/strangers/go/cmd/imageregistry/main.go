// Command imageregistry is kubenab: it sends the images of all Pods to the company's own registry.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"

	"example.io/strangers/admission"
)

type config struct {
	registry             string
	replace              bool
	secret               string
	whitelistNamespaces  []string
	whitelistRegistries  []string
	oneContainerPerPatch bool
}

type reference struct {
	Name string `json:"name"`
}

type pod struct {
	Spec struct {
		Containers       []map[string]any `json:"containers"`
		InitContainers   []map[string]any `json:"initContainers"`
		ImagePullSecrets []reference      `json:"imagePullSecrets"`
	} `json:"spec"`
}

func option(name, fallback string) string {
	if value, ok := os.LookupEnv(name); ok {
		return value
	}
	return fallback
}

func list(text string) (items []string) {
	for _, item := range strings.Split(text, ",") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}

func load() config {
	c := config{
		registry:            option("DOCKER_REGISTRY_URL", "jfrog.example.com:8088"),
		secret:              option("REGISTRY_SECRET_NAME", "regsecret"),
		whitelistNamespaces: list(option("WHITELIST_NAMESPACES", "kube-system,default-system,kubenab")),
	}
	c.whitelistRegistries = list(option("WHITELIST_REGISTRIES", c.registry))
	replace, err := strconv.ParseBool(option("REPLACE_REGISTRY_URL", "true"))
	if err != nil || c.registry == "" {
		log.Fatal("invalid value in DOCKER_REGISTRY_URL or REPLACE_REGISTRY_URL")
	}
	c.replace = replace
	fixed := len(os.Args) == 2 && os.Args[1] == "fixed"
	c.oneContainerPerPatch = !fixed
	return c
}

func contains(items []string, wanted string) bool {
	for _, item := range items {
		if item == wanted {
			return true
		}
	}
	return false
}

// local tells whether the image comes from a registry of the white list.
func (c config) local(image string) bool {
	for _, registry := range c.whitelistRegistries {
		if strings.HasPrefix(image, strings.TrimSuffix(registry, "/")+"/") {
			return true
		}
	}
	return false
}

// hasRegistry knows a registry by the dot or port of its first part.
func hasRegistry(parts []string) bool {
	return len(parts) > 1 && (strings.ContainsAny(parts[0], ".:") || parts[0] == "localhost")
}

// rewrite puts the registry in place of the image's own one, or before it.
func (c config) rewrite(image string) string {
	parts := strings.Split(image, "/")
	if c.replace && hasRegistry(parts) {
		parts = parts[1:]
	}
	return c.registry + "/" + strings.Join(parts, "/")
}

func (c config) containers(containers []map[string]any, field string) (patch []admission.Operation) {
	for i, container := range containers {
		image, _ := container["image"].(string)
		if image == "" || c.local(image) {
			continue
		}
		changed := c.rewrite(image)
		log.Printf("changing image %s to %s", image, changed)
		if c.oneContainerPerPatch {
			container["image"] = changed
			patch = append(patch, admission.Operation{Op: "add", Path: "/spec/" + field,
				Value: []map[string]any{container}})
			continue
		}
		path := fmt.Sprintf("/spec/%s/%d/image", field, i)
		patch = append(patch, admission.Operation{Op: "replace", Path: path, Value: changed})
	}
	return patch
}

func (c config) mutate(request *admission.Request) ([]admission.Operation, error) {
	if contains(c.whitelistNamespaces, request.Namespace) {
		log.Printf("namespace %s is whitelisted", request.Namespace)
		return nil, nil
	}
	var p pod
	if err := json.Unmarshal(request.Object, &p); err != nil {
		return nil, err
	}
	patch := c.containers(p.Spec.Containers, "containers")
	patch = append(patch, c.containers(p.Spec.InitContainers, "initContainers")...)
	if len(patch) == 0 || c.secret == "" || request.Operation != "CREATE" {
		return patch, nil
	}
	for _, have := range p.Spec.ImagePullSecrets {
		if have.Name == c.secret {
			return patch, nil
		}
	}
	secrets := append(append([]reference{}, p.Spec.ImagePullSecrets...), reference{c.secret})
	return append(patch, admission.Operation{Op: "add", Path: "/spec/imagePullSecrets", Value: secrets}), nil
}

func main() { admission.Serve(load().mutate) }
