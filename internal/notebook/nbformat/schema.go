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

// upgradedOutput makes an output of format 4 of one of format 3. Others it returns as they are.
func upgradedOutput(v any) any {
	o, ok := v.(map[string]any)
	if !ok {
		return v
	}
	if o["output_type"] == "stream" {
		if name, there := o["stream"]; there {
			o["name"] = name
		}
	}
	if countOf(o["execution_count"]) == nil {
		delete(o, "execution_count")
	}
	only[map[string]any](o, "metadata")
	if _, there := o["data"]; there || o["output_type"] != "pyout" && o["output_type"] != "display_data" && o["output_type"] != "pyerr" {
		return o
	}
	switch o["output_type"] {
	case "pyerr":
		o["output_type"] = "error"
		return o
	case "pyout":
		o["output_type"] = "execute_result"
	}
	data := map[string]any{}
	for alias, mime := range map[string]string{"text": "text/plain", "html": "text/html", "svg": "image/svg+xml", "png": "image/png", "jpeg": "image/jpeg", "latex": "text/latex", "javascript": "application/javascript"} {
		if v, there := o[alias]; there {
			data[mime] = v
		}
	}
	o["data"] = data
	return o
}
