// Package adapter lets fixpoint call a webhook without a network: reviews come on standard input, answers go to standard
// output.
package adapter

import (
	"bufio"
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"syscall"
)

// takeStandardOutput reserves standard output for the answers: anything else that the program prints there goes to
// standard error from now on, even by code that already holds os.Stdout.
func takeStandardOutput() *os.File {
	answers, err := syscall.Dup(1)
	if err == nil {
		syscall.CloseOnExec(answers)
		err = duplicate(2, 1)
	}
	if err != nil {
		panic(err)
	}
	return os.NewFile(uintptr(answers), "answers")
}

// Speak answers each AdmissionReview on a line of standard input with one on a line of standard output.
func Speak(webhook http.Handler) {
	answers := takeStandardOutput()
	for lines := bufio.NewReader(os.Stdin); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		request, answer := httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(line)), httptest.NewRecorder()
		request.Header.Set("Content-Type", "application/json")
		webhook.ServeHTTP(answer, request)
		answers.Write(append(bytes.TrimSpace(answer.Body.Bytes()), '\n'))
	}
}
