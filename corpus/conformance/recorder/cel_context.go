//go:build !(kubernetes1.29 || kubernetes1.30 || kubernetes1.31 || kubernetes1.32 || kubernetes1.33 || kubernetes1.34 || kubernetes1.35)

package main

import (
	"context"

	admissioncel "k8s.io/apiserver/pkg/admission/plugin/cel"
)

func celContext(compiler *admissioncel.CompositedCompiler) admissioncel.CompositionContext {
	return compiler.CreateContext(context.Background())
}
