//go:build !(kubernetes1.29 || kubernetes1.30 || kubernetes1.31 || kubernetes1.32 || kubernetes1.33 || kubernetes1.34 || kubernetes1.35)

package main

import (
	"context"
	"fmt"
	"regexp"
	"sort"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	"k8s.io/apiserver/pkg/admission/plugin/resourcequota"
	"k8s.io/apiserver/pkg/admission/plugin/webhook"
	webhookinitializer "k8s.io/apiserver/pkg/admission/plugin/webhook/initializer"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/validating"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"
	"k8s.io/apiserver/pkg/util/compatibility"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/kubernetes/pkg/apis/core"
	quotainstall "k8s.io/kubernetes/pkg/quota/v1/install"
	"k8s.io/kubernetes/plugin/pkg/admission/alwayspullimages"
	"k8s.io/kubernetes/plugin/pkg/admission/limitranger"
	"k8s.io/kubernetes/plugin/pkg/admission/nodedeclaredfeatures"
	"k8s.io/kubernetes/plugin/pkg/admission/podnodeselector"
	"k8s.io/kubernetes/plugin/pkg/admission/podresize"
	"k8s.io/kubernetes/plugin/pkg/admission/podtolerationrestriction"
	"k8s.io/kubernetes/plugin/pkg/admission/podtopologylabels"
	"k8s.io/kubernetes/plugin/pkg/admission/runtimeclass"
	"k8s.io/kubernetes/plugin/pkg/admission/security/podsecurity"
	"k8s.io/kubernetes/plugin/pkg/admission/serviceaccount"
)

// judgeOrder is the server's own order of the plugins that judge a Pod before it is stored. Those that are
// not always on judge if the Case names them.
var judgeOrder = []struct {
	name   string
	always bool
}{
	{limitranger.PluginName, false},
	{serviceaccount.PluginName, false},
	{alwayspullimages.PluginName, false},
	{podsecurity.PluginName, true},
	{podnodeselector.PluginName, false},
	{podtolerationrestriction.PluginName, false},
	{runtimeclass.PluginName, false},
	{nodedeclaredfeatures.PluginName, true},
	{podresize.PluginName, true},
	{validating.PluginName, true},
	{resourcequota.PluginName, true},
}

const judgesKnown = true

func registerNewest(plugins *admission.Plugins) { podtopologylabels.Register(plugins) }

func (c *cluster) judgeInitializers() admission.PluginInitializers {
	c.stop = make(chan struct{})
	common := initializer.New(c.client, nil, c.informers, c.authorizer(), utilfeature.DefaultFeatureGate,
		compatibility.DefaultBuildEffectiveVersion(), c.stop, nil)
	webhooks := webhookinitializer.NewPluginInitializer(
		func(webhookutil.AuthenticationInfoResolver) webhookutil.AuthenticationInfoResolver {
			return plainClients{}
		},
		webhookutil.NewDefaultServiceResolver())
	return admission.PluginInitializers{common, webhooks, quotaInitializer{c}}
}

// quotaInitializer gives ResourceQuota the server's own evaluators.
type quotaInitializer struct{ cluster *cluster }

func (q quotaInitializer) Initialize(plugin admission.Interface) {
	if wants, ok := plugin.(initializer.WantsQuotaConfiguration); ok {
		configuration, err := quotainstall.NewQuotaConfigurationForAdmission(q.cluster.informers, nil)
		if err != nil {
			panic(err)
		}
		wants.SetQuotaConfiguration(configuration)
	}
}

// judge asks the plugins one after the other, as the server's validating chain does, until one refuses.
func (c *cluster) judge(ctx context.Context, settings pluginSettings, attributes admission.Attributes, interfaces admission.ObjectInterfaces) (*judgement, error) {
	plugins := admission.NewPlugins()
	registerMutating(plugins)
	podsecurity.Register(plugins)
	nodedeclaredfeatures.Register(plugins)
	podresize.Register(plugins)
	validating.Register(plugins)
	resourcequota.Register(plugins)
	initializers := c.judgeInitializers()
	defer close(c.stop)
	for _, judge := range judgeOrder {
		if _, named := settings[judge.name]; !named && !judge.always {
			continue
		}
		chain, err := plugins.NewFromPlugins([]string{judge.name}, settings, initializers, nil)
		if err != nil {
			return nil, err
		}
		if !chain.Handles(attributes.GetOperation()) {
			continue
		}
		ask := chain.(admission.ValidationInterface).Validate
		if judge.name == validating.PluginName {
			ask = c.askValidators
		}
		if refusal := ask(ctx, attributes, interfaces); refusal != nil {
			return c.judgementOf(judge.name, refusal, attributes)
		}
	}
	return &judgement{Causes: []cause{}}, nil
}

// validatorPlugin is the server's plugin that calls the validating webhooks of the cluster.
func (c *cluster) validatorPlugin() (*validating.Plugin, error) {
	plugin, err := validating.NewValidatingAdmissionWebhook(nil)
	if err != nil {
		return nil, err
	}
	for _, one := range c.judgeInitializers() {
		one.Initialize(plugin)
	}
	return plugin, plugin.ValidateInitialization()
}

// oneVersion is the object in the one version that a Pod has.
type oneVersion struct {
	attributes admission.Attributes
	interfaces admission.ObjectInterfaces
}

func (o oneVersion) VersionedAttribute(kind schema.GroupVersionKind) (*admission.VersionedAttributes, error) {
	return admission.NewVersionedAttributes(o.attributes, kind, o.interfaces)
}

// askValidators calls the validating webhooks one by one, where the server calls them at once and takes the error that
// comes first in time. As in the server, all are matched before any is called.
func (c *cluster) askValidators(ctx context.Context, attributes admission.Attributes, interfaces admission.ObjectInterfaces) error {
	all, err := c.validatorPlugin()
	if err != nil {
		return err
	}
	defer close(c.stop)
	var relevant []*cluster
	for _, configuration := range c.validators() {
		for i := range configuration.Webhooks {
			accessor := webhook.NewValidatingWebhookAccessor(configuration.Name, configuration.Name, &configuration.Webhooks[i])
			invocation, refusal := all.ShouldCallHook(ctx, accessor, attributes, interfaces, oneVersion{attributes, interfaces})
			if refusal != nil {
				return refusal
			}
			if invocation != nil {
				relevant = append(relevant, c.withOneValidator(configuration, configuration.Webhooks[i]))
			}
		}
	}
	var first error
	for _, single := range relevant {
		plugin, err := single.validatorPlugin()
		if err != nil {
			return err
		}
		if err := plugin.Validate(ctx, attributes, interfaces); err != nil && first == nil {
			first = err
		}
		close(single.stop)
	}
	return first
}

var refusalPrefix = regexp.MustCompile(`^pods "[^"]*" is forbidden: `)

func (c *cluster) judgementOf(plugin string, refusal error, attributes admission.Attributes) (*judgement, error) {
	status := responsewriters.ErrorToAPIStatus(refusal)
	messages := []string{uidInMessage.ReplaceAllString(c.meantAddresses(status.Message), "00000000-0000-0000-0000-000000000000")}
	if aggregate, ok := refusal.(utilerrors.Aggregate); ok {
		messages = nil
		for _, one := range aggregate.Errors() {
			messages = append(messages, one.Error())
		}
	}
	if plugin == limitranger.PluginName {
		var err error
		if messages, err = c.limitMessages(attributes); err != nil {
			return nil, err
		}
	}
	answer := &judgement{Code: int(status.Code), Causes: []cause{}}
	for _, message := range messages {
		answer.Causes = append(answer.Causes, cause{Plugin: plugin, Message: refusalPrefix.ReplaceAllString(message, "")})
	}
	return answer, nil
}

// limitMessages lists the complaints of the first LimitRange that refuses: in the server's message their
// order is that of a Go map.
func (c *cluster) limitMessages(attributes admission.Attributes) ([]string, error) {
	ranges := c.informers.Core().V1().LimitRanges().Informer().GetIndexer().List()
	for _, item := range ranges {
		limitRange := item.(*corev1.LimitRange)
		if limitRange.Namespace != attributes.GetNamespace() {
			continue
		}
		err := limitranger.PodValidateLimitFunc(limitRange, attributes.GetObject().(*core.Pod))
		if err == nil {
			continue
		}
		messages := []string{}
		for _, one := range err.(utilerrors.Aggregate).Errors() {
			messages = append(messages, one.Error())
		}
		sort.Strings(messages)
		return messages, nil
	}
	return nil, fmt.Errorf("no LimitRange refuses")
}
