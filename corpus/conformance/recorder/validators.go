package main

import (
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// validators are the configurations of validating webhooks, by name.
func (c *cluster) validators() []*admissionregistrationv1.ValidatingWebhookConfiguration {
	all := []*admissionregistrationv1.ValidatingWebhookConfiguration{}
	for _, item := range c.informers.Admissionregistration().V1().ValidatingWebhookConfigurations().Informer().GetIndexer().List() {
		all = append(all, item.(*admissionregistrationv1.ValidatingWebhookConfiguration))
	}
	return all
}

// withOneValidator is the cluster with a single validating webhook.
func (c *cluster) withOneValidator(of *admissionregistrationv1.ValidatingWebhookConfiguration, webhook admissionregistrationv1.ValidatingWebhook) *cluster {
	objects := []runtime.Object{&admissionregistrationv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: of.Name},
		Webhooks:   []admissionregistrationv1.ValidatingWebhook{webhook},
	}}
	for _, object := range c.objects {
		if _, ok := object.(*admissionregistrationv1.ValidatingWebhookConfiguration); !ok {
			objects = append(objects, object)
		}
	}
	return newCluster(objects)
}

// connectValidators puts the loopback server behind every validating webhook, and returns the URLs.
func (c *cluster) connectValidators(document *caseDocument, known map[string]*scriptedWebhook) ([]string, error) {
	urls := []string{}
	for _, configuration := range c.validators() {
		for i := range configuration.Webhooks {
			entry := &configuration.Webhooks[i]
			key := configuration.Name + "/" + entry.Name
			answer, found := document.Webhooks[key]
			if !found {
				return nil, fmt.Errorf("nothing answers behind webhook %s", key)
			}
			if err := answer.Script.check(); err != nil {
				return nil, fmt.Errorf("%s: %w", key, err)
			}
			if known[key] == nil {
				known[key] = newScriptedWebhook(key, answer.Script)
			}
			url := loopbackServer().add(known[key])
			urls = append(urls, url)
			meant := addressOf(&admissionregistrationv1.MutatingWebhook{Name: entry.Name, ClientConfig: entry.ClientConfig})
			c.addresses = append(c.addresses, address{loopback: url, meant: meant})
			entry.ClientConfig = admissionregistrationv1.WebhookClientConfig{URL: &url}
		}
	}
	return urls, nil
}
