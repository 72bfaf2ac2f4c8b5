package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/mutating"
	"k8s.io/kubernetes/plugin/pkg/admission/alwayspullimages"
	"k8s.io/kubernetes/plugin/pkg/admission/defaulttolerationseconds"
	"k8s.io/kubernetes/plugin/pkg/admission/extendedresourcetoleration"
	"k8s.io/kubernetes/plugin/pkg/admission/limitranger"
	"k8s.io/kubernetes/plugin/pkg/admission/podnodeselector"
	"k8s.io/kubernetes/plugin/pkg/admission/podtolerationrestriction"
	"k8s.io/kubernetes/plugin/pkg/admission/priority"
	"k8s.io/kubernetes/plugin/pkg/admission/runtimeclass"
	"k8s.io/kubernetes/plugin/pkg/admission/serviceaccount"
)

// pluginOrder is the API server's own order of the plugins a Case may name.
var pluginOrder = []string{
	limitranger.PluginName, serviceaccount.PluginName, alwayspullimages.PluginName, podnodeselector.PluginName,
	priority.PluginName, defaulttolerationseconds.PluginName, podtolerationrestriction.PluginName,
	extendedresourcetoleration.PluginName, runtimeclass.PluginName, "PodTopologyLabels",
}

func registerMutating(plugins *admission.Plugins) {
	lifecycle.Register(plugins)
	limitranger.Register(plugins)
	serviceaccount.Register(plugins)
	alwayspullimages.Register(plugins)
	podnodeselector.Register(plugins)
	priority.Register(plugins)
	defaulttolerationseconds.Register(plugins)
	podtolerationrestriction.Register(plugins)
	extendedresourcetoleration.Register(plugins)
	runtimeclass.Register(plugins)
	registerNewest(plugins)
	mutating.Register(plugins)
}

// pluginEntry is a plugin that a Case switches on: its name, or an object with its settings.
type pluginEntry struct {
	Name     string         `json:"name"`
	Settings map[string]any `json:"settings,omitempty"`
}

func (p *pluginEntry) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte(`"`)) {
		return json.Unmarshal(data, &p.Name)
	}
	type plain pluginEntry
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	decoder.UseNumber()
	return decoder.Decode((*plain)(p))
}

// pluginSettings has what a Case switches on, by name, and gives each plugin its configuration file.
type pluginSettings map[string]map[string]any

func settingsOf(entries []pluginEntry) (pluginSettings, error) {
	known := map[string]bool{}
	for _, name := range pluginOrder {
		known[name] = true
	}
	settings := pluginSettings{}
	for _, entry := range entries {
		if !known[entry.Name] {
			return nil, fmt.Errorf("admission plugin %q is not one of %v", entry.Name, pluginOrder)
		}
		settings[entry.Name] = entry.Settings
	}
	return settings, nil
}

// names lists what is switched on, in the server's order.
func (s pluginSettings) names() []string {
	names := []string{}
	for _, name := range pluginOrder {
		if _, found := s[name]; found {
			names = append(names, name)
		}
	}
	return names
}

// ConfigFor writes the file that the server would be started with.
func (s pluginSettings) ConfigFor(name string) (io.Reader, error) {
	if len(s[name]) == 0 {
		return nil, nil
	}
	file := map[string]any{}
	switch name {
	case podnodeselector.PluginName:
		file["podNodeSelectorPluginConfig"] = s[name]
	case podtolerationrestriction.PluginName:
		for key, value := range s[name] {
			file[key] = value
		}
		file["apiVersion"], file["kind"] = "podtolerationrestriction.admission.k8s.io/v1alpha1", "Configuration"
	default:
		return nil, nil
	}
	data, err := json.Marshal(file)
	return bytes.NewReader(data), err
}

// setFlags gives the process the flags that the Case starts its server with.
func (s pluginSettings) setFlags() error {
	for _, name := range []string{"default-not-ready-toleration-seconds", "default-unreachable-toleration-seconds"} {
		text := "300"
		if value, found := s[defaulttolerationseconds.PluginName][name]; found {
			text = fmt.Sprint(value)
		}
		if err := setTolerationFlag(name, text); err != nil {
			return err
		}
	}
	return nil
}
