package lab

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
)

// unpack returns the files of JupyterLite's app that the lab needs, by their paths in it.
func unpack(archive string) (map[string][]byte, error) {
	f, err := os.Open(archive)
	if err != nil {
		return nil, fmt.Errorf("lab: %w", err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("lab: %s: %w", archive, err)
	}
	files := map[string][]byte{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("lab: %s: %w", archive, err)
		}
		name, ok := strings.CutPrefix(path.Clean(h.Name), "package/")
		if !ok || h.Typeflag != tar.TypeReg || !needed(name) {
			continue
		}
		if files[name], err = io.ReadAll(r); err != nil {
			return nil, fmt.Errorf("lab: %s: %w", archive, err)
		}
	}
	for name := range files { // a browser takes the smallest form of a font
		if small, ok := strings.CutSuffix(name, ".woff"); ok && files[small+".woff2"] != nil {
			delete(files, name)
		}
	}
	for _, name := range []string{page, config, icon, "config-utils.js", "build/lab/bundle.js"} {
		if files[name] == nil {
			return nil, fmt.Errorf("lab: %s has no %s: it is not the app of JupyterLite for which this is written", archive, name)
		}
	}
	return files, nil
}

// needed reports whether the lab needs a file of the app. It does not need the maps of its sources, the
// other apps, and fonts for browsers without WebAssembly.
func needed(name string) bool {
	switch dir, rest, _ := strings.Cut(name, "/"); dir {
	case "build":
		switch app, _, in := strings.Cut(rest, "/"); {
		case in && app != "lab" && app != "schemas" && app != "themes":
			return false
		}
		switch path.Ext(name) {
		case ".map", ".eot", ".ttf", ".svg":
			return false
		}
		return rest != "service-worker.js"
	case "lab":
		return rest != "package.json" && rest != "favicon.ico"
	}
	switch name {
	case "config-utils.js", icon, "index.html", config, "jupyter-lite.ipynb":
		return true
	}
	return false
}
