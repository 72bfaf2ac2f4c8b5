//go:build !kubernetes1.31

package main

import (
	"context"

	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
)

// complete fills in what the options leave open.
func complete(ctx context.Context, s *options.ServerRunOptions) (options.CompletedOptions, error) {
	if err := s.GenericServerRunOptions.ComponentGlobalsRegistry.Set(); err != nil {
		return options.CompletedOptions{}, err
	}
	return s.Complete(ctx)
}
