//go:build !linux

package adapter

import "syscall"

// duplicate makes `to` another name of `from`: macOS has no dup3.
func duplicate(from, to int) error { return syscall.Dup2(from, to) }
