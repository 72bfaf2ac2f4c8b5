//go:build kubernetes1.29 || kubernetes1.30 || kubernetes1.31 || kubernetes1.32 || kubernetes1.33 || kubernetes1.34 || kubernetes1.35

package main

import (
	"context"
	"errors"

	"k8s.io/apiserver/pkg/admission"
)

// judgesKnown is whether the recorder asks this release who refuses the final Pod.
const judgesKnown = false

func registerNewest(*admission.Plugins) {}

func (c *cluster) judge(context.Context, pluginSettings, admission.Attributes, admission.ObjectInterfaces) (*judgement, error) {
	return nil, errors.New("the validating phase is recorded from 1.36 on")
}
