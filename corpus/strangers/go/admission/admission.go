// Package admission speaks admission.k8s.io/v1 over standard input and output: one AdmissionReview a line.
package admission

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"reflect"
	"sort"
	"strings"
)

// Request is the part of an AdmissionRequest that the handlers read.
type Request struct {
	UID       string          `json:"uid"`
	Namespace string          `json:"namespace"`
	Name      string          `json:"name"`
	Operation string          `json:"operation"`
	DryRun    bool            `json:"dryRun"`
	Object    json.RawMessage `json:"object"`
}

// Operation is one operation of a JSON Patch.
type Operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// Denied refuses the object; the user reads the text.
type Denied string

func (d Denied) Error() string { return string(d) }

type status struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

type response struct {
	UID       string  `json:"uid"`
	Allowed   bool    `json:"allowed"`
	PatchType string  `json:"patchType,omitempty"`
	Patch     []byte  `json:"patch,omitempty"`
	Status    *status `json:"status,omitempty"`
}

// Escape makes a key one reference token of a JSON Pointer.
func Escape(key string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(key) }

func decode(data []byte) (value any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	err = decoder.Decode(&value)
	return value, err
}

// PatchFromRaw compares the object as it was sent with the handler's own encoding of it.
func PatchFromRaw(original []byte, current any) ([]Operation, error) {
	encoded, err := json.Marshal(current)
	if err != nil {
		return nil, err
	}
	before, err := decode(original)
	if err != nil {
		return nil, err
	}
	after, err := decode(encoded)
	if err != nil {
		return nil, err
	}
	return diff(nil, "", before, after), nil
}

func diff(patch []Operation, path string, before, after any) []Operation {
	if reflect.DeepEqual(before, after) {
		return patch
	}
	if old, ok := before.(map[string]any); ok {
		if fresh, ok := after.(map[string]any); ok {
			for _, key := range keys(old, fresh) {
				at := path + "/" + Escape(key)
				_, was := old[key]
				value, is := fresh[key]
				switch {
				case was && is:
					patch = diff(patch, at, old[key], value)
				case is:
					patch = append(patch, Operation{"add", at, value})
				default:
					patch = append(patch, Operation{Op: "remove", Path: at})
				}
			}
			return patch
		}
	}
	if old, ok := before.([]any); ok {
		if fresh, ok := after.([]any); ok && len(fresh) >= len(old) {
			for i := range old {
				patch = diff(patch, fmt.Sprintf("%s/%d", path, i), old[i], fresh[i])
			}
			for i := len(old); i < len(fresh); i++ {
				patch = append(patch, Operation{"add", fmt.Sprintf("%s/%d", path, i), fresh[i]})
			}
			return patch
		}
	}
	return append(patch, Operation{"replace", path, after})
}

func keys(maps ...map[string]any) (all []string) {
	seen := map[string]bool{}
	for _, m := range maps {
		for key := range m {
			if !seen[key] {
				seen[key] = true
				all = append(all, key)
			}
		}
	}
	sort.Strings(all)
	return all
}

// Serve answers until standard input ends.
func Serve(handle func(*Request) ([]Operation, error)) {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			var review struct {
				Request Request `json:"request"`
			}
			if err := json.Unmarshal(line, &review); err != nil {
				log.Fatal(err)
			}
			answer := map[string]any{"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": respond(&review.Request, handle)}
			if err := json.NewEncoder(out).Encode(answer); err != nil {
				log.Fatal(err)
			}
			out.Flush()
		}
		if err == io.EOF {
			return
		}
	}
}

func respond(request *Request, handle func(*Request) ([]Operation, error)) response {
	answer := response{UID: request.UID, Allowed: true}
	if len(request.Object) == 0 || string(request.Object) == "null" {
		return answer
	}
	patch, err := handle(request)
	if err != nil {
		answer.Allowed, answer.Status = false, &status{500, err.Error()}
		if denied := Denied(""); errors.As(err, &denied) {
			answer.Status.Code = 403
		}
		return answer
	}
	if len(patch) > 0 {
		answer.PatchType = "JSONPatch"
		answer.Patch, _ = json.Marshal(patch)
	}
	return answer
}
