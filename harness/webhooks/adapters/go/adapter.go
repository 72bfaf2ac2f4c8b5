package main

import (
	"bufio"
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
)

// speak answers each AdmissionReview on a line of standard input with one on a line of standard output.
func speak(webhook http.Handler) {
	for lines := bufio.NewReader(os.Stdin); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		request, answer := httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(line)), httptest.NewRecorder()
		request.Header.Set("Content-Type", "application/json")
		webhook.ServeHTTP(answer, request)
		os.Stdout.Write(append(bytes.TrimSpace(answer.Body.Bytes()), '\n'))
	}
}
