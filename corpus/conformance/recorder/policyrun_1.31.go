//go:build kubernetes1.29 || kubernetes1.30 || kubernetes1.31

package main

import "errors"

// newPolicyRun knows that releases before 1.32 have no mutating admission policies.
func (c *cluster) newPolicyRun(*caseDocument, *passCounter) (policyRun, error) { return nil, nil }

func answerPolicy(*vector) error {
	return errors.New("this release has no mutating admission policies")
}
