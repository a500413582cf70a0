package nbformat

import (
	"regexp"
	"slices"
	"strings"
)

// tidyNotebook removes from a notebook's metadata what the schema forbids. The kernel gets a name to show, since its
// language counts.
func tidyNotebook(m map[string]any) {
	without(m, transientNotebook...)
	if spec, ok := m["kernelspec"].(map[string]any); ok {
		name, _ := spec["name"].(string)
		shown, ok := spec["display_name"].(string)
		if !ok {
			shown = name
		}
		spec["name"], spec["display_name"] = name, shown
	}
	if info, ok := m["language_info"].(map[string]any); ok {
		if _, ok := info["name"].(string); !ok {
			delete(m, "language_info")
		}
		only[string](info, "file_extension", "mimetype", "pygments_lexer")
		if _, object := info["codemirror_mode"].(map[string]any); !object {
			only[string](info, "codemirror_mode")
		}
	}
	only[map[string]any](m, "kernelspec", "language_info")
	only[string](m, "title")
	only[[]any](m, "authors")
}

// tidyCell removes from a cell's metadata what the schema forbids.
func tidyCell(m map[string]any) {
	without(m, transientCell...)
	only[bool](m, "collapsed")
	if m["scrolled"] != "auto" {
		only[bool](m, "scrolled")
	}
	only[string](m, "name", "format")
	if m["name"] == "" {
		delete(m, "name")
	}
	only[map[string]any](m, "jupyter", "execution")
	only[bool](objectOf(m["jupyter"]), "source_hidden", "outputs_hidden")
	times := objectOf(m["execution"])
	for key := range times {
		only[string](times, key)
	}
	if tags, there := m["tags"]; there {
		list, _ := tags.([]any)
		kept := []any{}
		for _, v := range list {
			if tag, ok := v.(string); ok && tag != "" && !strings.Contains(tag, ",") && !slices.Contains(kept, v) {
				kept = append(kept, v)
			}
		}
		m["tags"] = kept
	}
}

var jsonType = regexp.MustCompile(`^application/(.*\+)?json$`)

// tidyBundle removes from a MIME bundle what is no text, unless its type is JSON.
func tidyBundle(bundle map[string]any) {
	for mime := range bundle {
		if !jsonType.MatchString(mime) {
			only[string](bundle, mime)
		}
	}
}

// only removes the values of keys that are not of a type.
func only[T any](m map[string]any, keys ...string) {
	for _, key := range keys {
		if _, ok := m[key].(T); !ok {
			delete(m, key)
		}
	}
}
