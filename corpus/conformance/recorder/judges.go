//go:build !(kubernetes1.29 || kubernetes1.30 || kubernetes1.31 || kubernetes1.32 || kubernetes1.33 || kubernetes1.34 || kubernetes1.35)

package main

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"sort"
	"strconv"
	"strings"

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
	"k8s.io/apiserver/pkg/warning"
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
	answer := &judgement{Causes: []cause{}}
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
			ask = func(ctx context.Context, attributes admission.Attributes, interfaces admission.ObjectInterfaces) error {
				return c.askValidators(ctx, attributes, interfaces, answer)
			}
		}
		if refusal := ask(ctx, attributes, interfaces); refusal != nil {
			return c.judgementOf(judge.name, refusal, attributes, answer)
		}
	}
	return answer, nil
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
// comes first in time. As in the server, all are matched before any is called. The answer gets the calls.
func (c *cluster) askValidators(ctx context.Context, attributes admission.Attributes, interfaces admission.ObjectInterfaces, answer *judgement) error {
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
	for index, single := range relevant {
		refusal, err := single.askOneValidator(ctx, attributes, interfaces, index, answer)
		if err != nil {
			return err
		}
		if first == nil {
			first = refusal
		}
	}
	return first
}

const failedOpenValidatingPrefix = "failed-open.validating.webhook.admission.k8s.io/round_0_index_"

// warningsOf passes warnings on to the recorder of a context.
type warningsOf struct{ ctx context.Context }

func (w warningsOf) AddWarning(agent, text string) { warning.AddWarning(w.ctx, agent, text) }

// askOneValidator calls the only validating webhook of the cluster, which is the one of that index among those that
// match: the server writes it into the key of a failure that is ignored.
func (c *cluster) askOneValidator(ctx context.Context, all admission.Attributes, interfaces admission.ObjectInterfaces, index int, answer *judgement) (refusal, err error) {
	plugin, err := c.validatorPlugin()
	if err != nil {
		return nil, err
	}
	defer close(c.stop)
	configuration := c.validators()[0]
	entry := &configuration.Webhooks[0]
	parsed, err := url.Parse(*entry.ClientConfig.URL)
	if err != nil {
		return nil, err
	}
	scripted := loopbackServer().find(parsed.Path)
	before := scripted.count()
	// Annotations are kept in the attributes, and first ones of a key in the audit event: every webhook has its own here.
	attributes := admission.NewAttributesRecord(all.GetObject(), all.GetOldObject(), all.GetKind(), all.GetNamespace(), all.GetName(),
		all.GetResource(), all.GetSubresource(), all.GetOperation(), all.GetOperationOptions(), all.IsDryRun(), all.GetUserInfo())
	apart := warning.WithWarningRecorder(context.Background(), warningsOf{ctx})
	if deadline, limited := ctx.Deadline(); limited {
		var cancel context.CancelFunc
		apart, cancel = context.WithDeadline(apart, deadline)
		defer cancel()
	}
	apart = audited(apart)
	refusal = admission.WithAudit(plugin).(admission.ValidationInterface).Validate(apart, attributes, interfaces)
	call := judgeCall{Webhook: configuration.Name + "/" + entry.Name, Index: index, Sent: scripted.count() > before}
	if answer.AuditAnnotations == nil {
		answer.AuditAnnotations = map[string]string{}
	}
	for key, text := range auditAnnotations(apart) {
		if key == failedOpenValidatingPrefix+"0" {
			key = failedOpenValidatingPrefix + strconv.Itoa(index)
			call.Error = "ignored"
		}
		if _, known := answer.AuditAnnotations[key]; !known {
			answer.AuditAnnotations[key] = text
		}
	}
	if refusal != nil {
		status := responsewriters.ErrorToAPIStatus(refusal)
		call.Code = int(status.Code)
		switch {
		case !strings.HasPrefix(status.Message, "admission webhook "):
			call.Error = "call"
		case strings.Contains(status.Message, "does not support dry run"):
			call.Error = "dry-run"
		default:
			call.Error = "denied"
		}
	}
	answer.Calls = append(answer.Calls, call)
	return refusal, nil
}

var refusalPrefix = regexp.MustCompile(`^pods "[^"]*" is forbidden: `)

func (c *cluster) judgementOf(plugin string, refusal error, attributes admission.Attributes, answer *judgement) (*judgement, error) {
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
	answer.Code = int(status.Code)
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
