//go:build kubernetes1.34 || kubernetes1.35

package main

import (
	"context"

	admissioncel "k8s.io/apiserver/pkg/admission/plugin/cel"
)

func celContext(compiler *admissioncel.CompositedCompiler) admissioncel.CompositionContext {
	return compiler.CompositionEnv.CreateContext(context.Background())
}
