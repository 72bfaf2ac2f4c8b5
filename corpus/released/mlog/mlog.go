// Package mlog stands in for the logger of azure-workload-identity, a module that public proxies do not serve. It has
// the functions that the webhook calls, and writes lines to standard error.
package mlog

import (
	"context"
	"fmt"
	"os"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
)

type LogLevel string

const (
	LevelWarning LogLevel = ""
	LevelInfo    LogLevel = "info"
	LevelDebug   LogLevel = "debug"
	LevelTrace   LogLevel = "trace"
	LevelAll     LogLevel = "all"
)

type LogFormat string

const FormatJSON LogFormat = "json"

type LogSpec struct {
	Level  LogLevel
	Format LogFormat
}

var levels = map[LogLevel]int{LevelWarning: 0, LevelInfo: 1, LevelDebug: 2, LevelTrace: 3, LevelAll: 4}

var level = LevelWarning

func Setup() func() { return func() {} }

func ValidateAndSetLogLevelAndFormatGlobally(_ context.Context, spec LogSpec) error {
	if _, known := levels[spec.Level]; !known {
		return fmt.Errorf("unknown log level %q", spec.Level)
	}
	level = spec.Level
	return nil
}

func Enabled(one LogLevel) bool { return levels[one] <= levels[level] }

func Logr() logr.Logger {
	return funcr.New(func(prefix, line string) { fmt.Fprintln(os.Stderr, prefix, line) }, funcr.Options{})
}

func Fatal(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

type Logger struct{ to logr.Logger }

func New() Logger { return Logger{Logr()} }

func (l Logger) WithName(name string) Logger { return Logger{l.to.WithName(name)} }

func (l Logger) WithValues(values ...any) Logger { return Logger{l.to.WithValues(values...)} }

func (l Logger) Info(message string, values ...any) {
	if Enabled(LevelInfo) {
		l.to.Info(message, values...)
	}
}

func (l Logger) Error(message string, err error, values ...any) { l.to.Error(err, message, values...) }
