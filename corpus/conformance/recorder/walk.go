package main

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"sort"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// nastyValues are the JSON texts that a walk puts in the place of each member of a Pod.
var nastyValues = []string{
	`null`, `true`, `false`, `""`, `" "`, `"a"`, `"A"`, `"null"`, `"true"`, `"0"`, `"-1"`, `0`, `-0`, `1`, `-1`, `2`, `1.0`, `1.5`,
	`-0.5`, `1e3`, `1E3`, `1e-3`, `1e400`, `-1e400`, `1e19`, `"1e3"`, `255`, `256`, `65535`, `65536`, `2147483647`, `2147483648`,
	`-2147483649`, `9223372036854775807`, `9223372036854775808`, `-9223372036854775809`, `18446744073709551616`,
	`123456789012345678901234567890`, `0.1e1`, `[]`, `[null]`, `[""]`, `["a"]`, `["a","a"]`, `[1]`, `[[]]`, `[{}]`, `[{},{}]`,
	`[{"name":"a"},{"name":"a"}]`, `{}`, `{"":""}`, `{"a":null}`, `{"a":"b"}`, `{"a":1}`, `{"a":{}}`, `{"name":"a"}`, `{"a":"b","a":"c"}`,
	`"1e3Ki"`, `"1.5Gi"`, `"0.0001m"`, `"1n"`, `"+1"`, `"01"`, `"1e+3"`, `"9223372036854775808"`, `"99999999999999999999Ei"`, `"1Kii"`,
	`"\u0000"`, `"\u0001\t\n"`, `"\u007f"`, `"\ud800"`, `"é"`, `"日本"`, `"\u2028"`, `"😀"`, `"<&>"`, `"a/b"`, `"/"`, `"../a"`, `"/a/../b"`,
	`"a:b"`, `"$(A)"`, `"-a"`, `"a-"`, `"a..b"`, `"a.b"`, `"1.2.3.4"`, `"1.2.3.04"`, `"::1"`, `"2026-01-01T00:00:00Z"`, `"2026-01-01T00:00:00.123456789Z"`,
	`"2026-13-01T00:00:00Z"`, `"Always"`, `"ALWAYS"`, `"50%"`, `"101%"`,
	`"` + strings.Repeat("a", 63) + `"`, `"` + strings.Repeat("a", 64) + `"`, `"` + strings.Repeat("a", 254) + `"`, `"` + strings.Repeat("a", 5000) + `"`,
}

// walker replaces members of a Pod.
type walker struct {
	root   any
	places []place
}

// place is a member of an object or an element of a list.
type place struct {
	object object
	list   []any
	key    string
	index  int
}

const walkMarker = "the place of a walk"

func newWalker(root any) *walker {
	w := &walker{root: root}
	w.list(root)
	return w
}

func (w *walker) list(value any) {
	switch value := value.(type) {
	case object:
		keys := []string{}
		for key := range value {
			keys = append(keys, key)
		}
		sort.Strings(keys)
		for _, key := range keys {
			w.places = append(w.places, place{object: value, key: key})
			w.list(value[key])
		}
	case []any:
		for i := range value {
			w.places = append(w.places, place{list: value, index: i})
			w.list(value[i])
		}
	}
}

// with is the Pod with the text in that place; twice leaves the member as well, before the text or behind it.
func (w *walker) with(at place, text string, twice int) json.RawMessage {
	var before any
	put := func(value any) {
		if at.object != nil {
			before, at.object[at.key] = at.object[at.key], value
		} else {
			before, at.list[at.index] = at.list[at.index], value
		}
	}
	put(walkMarker)
	whole := string(mustEncodeTrimmed(w.root))
	put(before)
	own := string(mustEncodeTrimmed(before))
	if at.object != nil && twice == 1 {
		text = own + `,` + strconv.Quote(at.key) + `:` + text
	}
	if at.object != nil && twice == 2 {
		text = text + `,` + strconv.Quote(at.key) + `:` + own
	}
	return json.RawMessage(strings.Replace(whole, strconv.Quote(walkMarker), text, 1))
}

// fullPod has every field of a Pod, each with a plain value.
func fullPod() any {
	pod := &corev1.Pod{}
	fill(reflect.ValueOf(pod).Elem())
	pod.APIVersion, pod.Kind = "v1", "Pod"
	var root any
	decodeNumbers(mustEncode(pod), &root)
	return root
}

func fill(value reflect.Value) {
	selfEncoding := reflect.TypeFor[interface{ UnmarshalJSON([]byte) error }]()
	if value.Kind() != reflect.Pointer && value.Addr().Type().Implements(selfEncoding) {
		for _, text := range []string{`"2026-01-01T00:00:00Z"`, `"1"`, `{"f:a":{}}`} {
			if json.Unmarshal([]byte(text), value.Addr().Interface()) == nil {
				return
			}
		}
	}
	switch value.Kind() {
	case reflect.Pointer:
		value.Set(reflect.New(value.Type().Elem()))
		fill(value.Elem())
	case reflect.Struct:
		for i := range value.NumField() {
			fill(value.Field(i))
		}
	case reflect.Slice:
		value.Set(reflect.MakeSlice(value.Type(), 1, 1))
		fill(value.Index(0))
	case reflect.Map:
		key, element := reflect.New(value.Type().Key()).Elem(), reflect.New(value.Type().Elem()).Elem()
		key.SetString("cpu")
		fill(element)
		value.Set(reflect.MakeMap(value.Type()))
		value.SetMapIndex(key, element)
	case reflect.String:
		value.SetString("a")
	case reflect.Bool:
		value.SetBool(true)
	case reflect.Int, reflect.Int32, reflect.Int64:
		value.SetInt(1)
	case reflect.Uint8:
		value.SetUint('a')
	}
}

// walkLines asks what becomes of a Pod in which one member has a nasty value: of one with every field, and of right ones.
// All members meet all values if there are lines enough; the seed says in which order.
func walkLines(out io.Writer, count int, seed int64) error {
	d := newDrawer(seed)
	full := newWalker(fullPod())
	order := d.Perm(len(full.places) * len(nastyValues))
	for line := 0; line < count; {
		number := order[line%len(order)]
		text := nastyValues[number%len(nastyValues)]
		twice := max(0, d.Intn(12)-9)
		at, of := full.places[number/len(nastyValues)], full
		if d.chance(60) {
			of = newWalker(clone(d.pod(6+d.Intn(20), 0)))
			at = of.places[d.Intn(len(of.places))]
		}
		pod := of.with(at, text, twice)
		_, err := decodeInternal(pod)
		for _, kind := range []string{"decode", "default", "validate", "warn"} {
			v := &vector{Kind: kind, ID: fmt.Sprintf("walk-%d-%d", seed, line)}
			switch {
			case kind == "decode":
				v.In = pod
			case err != nil || !d.chance(50):
				continue
			case kind == "default":
				v.In = pod
			case kind == "validate":
				v.Operation, v.Pod = "create", pod
			default:
				v.Pod = pod
			}
			if err := writeVector(out, v); err != nil {
				return err
			}
			line++
		}
	}
	return nil
}
