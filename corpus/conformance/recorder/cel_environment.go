//go:build !(kubernetes1.29 || kubernetes1.30 || kubernetes1.31 || kubernetes1.32 || kubernetes1.33 || kubernetes1.34)

package main

import (
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
)

func baseEnvironment(minor *version.Version) *environment.EnvSet {
	return environment.MustBaseEnvSet(minor)
}
