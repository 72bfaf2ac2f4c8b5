//go:build !(kubernetes1.29 || kubernetes1.30 || kubernetes1.31 || kubernetes1.32 || kubernetes1.33)

package main

import (
	"github.com/spf13/pflag"
	"k8s.io/kubernetes/plugin/pkg/admission/defaulttolerationseconds"
)

var tolerationFlags = func() *pflag.FlagSet {
	flags := pflag.NewFlagSet("server", pflag.ContinueOnError)
	defaulttolerationseconds.RegisterFlags(flags)
	return flags
}()

func setTolerationFlag(name, text string) error { return tolerationFlags.Set(name, text) }
