//go:build kubernetes1.29 || kubernetes1.30 || kubernetes1.31 || kubernetes1.32 || kubernetes1.33 || kubernetes1.34 || kubernetes1.35

package main

import "errors"

func answerDefinition(*vector) error {
	return errors.New("definitions of custom resources are recorded from 1.36 on")
}
