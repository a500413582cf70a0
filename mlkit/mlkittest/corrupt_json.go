package mlkittest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// corruptJSON corrupts the JSON of m in every way that spoilNode knows.
func corruptJSON(m any) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	var root any
	numbers := json.NewDecoder(bytes.NewReader(text))
	numbers.UseNumber()
	if err := numbers.Decode(&root); err != nil {
		return err
	}
	var broken []error
	var into any
	try := func(s spoiling) {
		if len(broken) == 5 {
			return // enough to show a pattern
		}
		if into == nil {
			into = empty(m)
			if err := json.Unmarshal(text, into); err != nil {
				broken = append(broken, err)
				return
			}
		}
		spoilt, err := json.Marshal(root)
		if err != nil {
			broken = append(broken, err)
			return
		}
		s.what = "with JSON, " + s.what
		err = withoutPanic(func() error { return json.Unmarshal(spoilt, into) })
		if err := s.judge(pointerTo(m), into, err); err != nil {
			broken = append(broken, err)
		}
		if err == nil {
			into = nil // it was overwritten
		}
	}
	spoilNode(root, "the model", func(v any) { root = v }, try)
	return errors.Join(broken...)
}

// spoilNode makes one change after another to a JSON node, which set replaces, and to
// everything in it. It calls try after each change and then undoes it.
func spoilNode(node any, place string, set func(any), try func(spoiling)) {
	with := func(v any, what string, refuse bool) {
		set(v)
		try(spoiling{place + " " + what, refuse})
		set(node)
	}
	switch node.(type) {
	case json.Number, string, bool:
		with(nil, "null", true)
	default:
		with(nil, "null", false) // decodes as an empty array, or as no kernel
	}
	if text, ok := node.(string); ok {
		// These stand for floats that JSON cannot represent.
		with(json.Number("3"), "a number", !slices.Contains([]string{"+Inf", "-Inf", "NaN"}, text))
	} else {
		with("x", "a string", true)
	}
	switch node := node.(type) {
	case map[string]any:
		spoilObject(node, place, try)
	case []any:
		if len(node) > 0 {
			with(node[:len(node)-1], "shorter", false)
			with([]any{}, "empty", false)
			with(append(slices.Clone(node), node[len(node)-1]), "longer", false)
		} else {
			with([]any{json.Number("0")}, "longer", false)
		}
		for i := range node {
			// One loop reads all elements, so three of them suffice.
			if i == 0 || i == len(node)/2 || i == len(node)-1 {
				spoilNode(node[i], fmt.Sprintf("%s[%d]", place, i), func(v any) { node[i] = v }, try)
			}
		}
	case json.Number:
		with([]any{node}, "in an array", true)
		for _, v := range []string{"-1", "0", "0.5", "1e9", "1e15", "9223372036854775807", "-9223372036854775808", "1e300"} {
			with(json.Number(v), v, false)
		}
		for _, v := range []string{"NaN", "+Inf"} {
			with(v, v, false) // valid where a float may be infinite
		}
	case string:
		with("nobody", "of another name", false)
	case bool:
		with(!node, "negated", false)
	}
}

func spoilObject(node map[string]any, place string, try func(spoiling)) {
	keys := slices.Sorted(maps.Keys(node))
	for _, key := range keys {
		v, inner := node[key], fmt.Sprintf("%s.%s", place, key)
		delete(node, key)
		try(spoiling{inner + " left out", true})
		for _, wrong := range []string{key + "s", key[1:]} {
			if _, taken := node[wrong]; !taken && wrong != key {
				node[wrong] = v
				try(spoiling{inner + " misspelt as " + wrong, true})
				delete(node, wrong)
			}
		}
		node[key] = v
		node[key+"_too"] = v
		try(spoiling{inner + " twice, the second time as " + key + "_too", true})
		delete(node, key+"_too")
		for _, other := range keys {
			if w, ok := node[other].([]any); ok && other > key {
				if _, ok := v.([]any); ok && !reflect.DeepEqual(v, w) {
					node[key], node[other] = w, v
					try(spoiling{fmt.Sprintf("%s and %s exchanged", inner, other), false})
					node[key], node[other] = v, w
				}
			}
		}
	}
	for _, key := range keys {
		spoilNode(node[key], fmt.Sprintf("%s.%s", place, key), func(v any) { node[key] = v }, try)
	}
}
