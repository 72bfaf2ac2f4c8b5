//go:build kubernetes1.34

package main

import (
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
)

func baseEnvironment(minor *version.Version) *environment.EnvSet {
	return environment.MustBaseEnvSet(minor, true)
}
