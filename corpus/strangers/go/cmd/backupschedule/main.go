// Command backupschedule sets what a schedule of backups leaves out, and nothing else: it changes the request's own
// JSON.
package main

import (
	"bytes"
	"encoding/json"

	"example.io/strangers/admission"
)

type object = map[string]any

func main() {
	admission.Serve(func(request *admission.Request) ([]admission.Operation, error) {
		var schedule object
		decoder := json.NewDecoder(bytes.NewReader(request.Object))
		decoder.UseNumber() // a double cannot hold every integer
		if err := decoder.Decode(&schedule); err != nil {
			return nil, err
		}
		metadata, _ := schedule["metadata"].(object)
		if metadata["deletionTimestamp"] != nil {
			return nil, nil
		}
		spec, ok := schedule["spec"].(object)
		if !ok {
			return nil, nil
		}
		if _, ok := spec["suspend"]; !ok {
			spec["suspend"] = false
		}
		if _, ok := spec["keep"]; !ok {
			spec["keep"] = json.Number("7")
		}
		return admission.PatchFromRaw(request.Object, schedule)
	})
}
