// Command scrapeports tells Prometheus the port of a Pod's metrics: the one that is named so.
package main

import (
	"encoding/json"
	"strconv"

	"example.io/strangers/admission"
)

const (
	scrape   = "prometheus.io/scrape"
	port     = "prometheus.io/port"
	portName = "metrics"
)

type container struct {
	RestartPolicy string `json:"restartPolicy"`
	Ports         []struct {
		Name          string `json:"name"`
		ContainerPort int    `json:"containerPort"`
		Protocol      string `json:"protocol"`
	} `json:"ports"`
}

type pod struct {
	Metadata struct {
		Annotations map[string]string `json:"annotations"`
	} `json:"metadata"`
	Spec struct {
		InitContainers []container `json:"initContainers"`
		Containers     []container `json:"containers"`
	} `json:"spec"`
}

func metricsPort(containers []container, runs func(container) bool) int {
	for _, c := range containers {
		for _, p := range c.Ports {
			if runs(c) && p.Name == portName && (p.Protocol == "" || p.Protocol == "TCP") {
				return p.ContainerPort
			}
		}
	}
	return 0
}

func annotate(request *admission.Request) (patch []admission.Operation, err error) {
	var p pod
	if err := json.Unmarshal(request.Object, &p); err != nil {
		return nil, err
	}
	_, decided := p.Metadata.Annotations[scrape]
	_, named := p.Metadata.Annotations[port]
	if decided || named {
		return nil, nil
	}
	number := metricsPort(p.Spec.Containers, func(container) bool { return true })
	if number == 0 {
		number = metricsPort(p.Spec.InitContainers, func(c container) bool { return c.RestartPolicy == "Always" })
	}
	if number == 0 {
		return nil, nil
	}
	if p.Metadata.Annotations == nil {
		patch = append(patch, admission.Operation{Op: "add", Path: "/metadata/annotations", Value: map[string]string{}})
	}
	return append(patch,
		admission.Operation{Op: "add", Path: "/metadata/annotations/" + admission.Escape(scrape), Value: "true"},
		admission.Operation{Op: "add", Path: "/metadata/annotations/" + admission.Escape(port), Value: strconv.Itoa(number)}), nil
}

func main() { admission.Serve(annotate) }
