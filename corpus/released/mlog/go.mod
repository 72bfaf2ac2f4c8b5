module monis.app/mlog

go 1.22

require github.com/go-logr/logr v1.4.1
