package main

import (
	"fmt"
	"net/url"
	"sort"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// address is where a webhook answers for the recorder, and where its configuration says that it does.
type address struct{ loopback, meant string }

// addressOf is the URL that the server would call; without one, `https://` and the webhook's name stand for it.
func addressOf(webhook *admissionregistrationv1.MutatingWebhook) string {
	config := webhook.ClientConfig
	switch {
	case config.URL != nil:
		return *config.URL
	case config.Service != nil:
		port, path := int32(443), ""
		if config.Service.Port != nil {
			port = *config.Service.Port
		}
		if config.Service.Path != nil {
			path = *config.Service.Path
		}
		return fmt.Sprintf("https://%s.%s.svc:%d/%s", config.Service.Name, config.Service.Namespace, port, strings.TrimPrefix(path, "/"))
	}
	return "https://" + webhook.Name
}

// isOfSelector is whether a refusal is about the selectors of a webhook behind the one with that index.
func (c *cluster) isOfSelector(message string, after int) bool {
	index := -1
	for _, configuration := range c.inOrder() {
		for _, webhook := range configuration.Webhooks {
			if index++; index <= after {
				continue
			}
			for _, selector := range []*metav1.LabelSelector{webhook.NamespaceSelector, webhook.ObjectSelector} {
				if _, err := metav1.LabelSelectorAsSelector(selector); err != nil && strings.HasSuffix(message, err.Error()) {
					return true
				}
			}
		}
	}
	return false
}

// inOrder lists the configurations of mutating webhooks by name, as the server calls them.
func (c *cluster) inOrder() []*admissionregistrationv1.MutatingWebhookConfiguration {
	sort.Slice(c.webhooks, func(i, j int) bool { return c.webhooks[i].Name < c.webhooks[j].Name })
	return c.webhooks
}

// meantAddresses puts the meant addresses into a message for the loopback ones, and a host with its port for the one that
// nothing listens at.
func (c *cluster) meantAddresses(message string) string {
	for _, one := range c.addresses {
		for _, end := range []string{"?", "\""} {
			if !strings.Contains(message, one.loopback+end) {
				continue
			}
			message = strings.ReplaceAll(message, one.loopback+end, one.meant+end)
			if meant, err := url.Parse(one.meant); err == nil {
				port := meant.Port()
				if port == "" {
					port = "443"
				}
				message = strings.ReplaceAll(message, loopbackServer().closed, meant.Hostname()+":"+port)
			}
		}
	}
	return message
}
