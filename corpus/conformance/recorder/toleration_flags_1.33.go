//go:build kubernetes1.29 || kubernetes1.30 || kubernetes1.31 || kubernetes1.32 || kubernetes1.33

package main

import "flag"

func setTolerationFlag(name, text string) error { return flag.Set(name, text) }
