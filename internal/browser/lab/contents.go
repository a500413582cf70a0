package lab

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"strings"
	"time"
)

// listing is the name of the file that lists a folder, as Jupyter's contents service does.
const listing = "all.json"

// Never is the time of all files: the same files make the same site.
var Never = time.Unix(0, 0).UTC()

// A model is a file or a folder as Jupyter's contents service has it.
type model struct {
	Name     string    `json:"name"`
	Path     string    `json:"path"`
	Type     string    `json:"type"`
	Format   *string   `json:"format"`
	Mimetype *string   `json:"mimetype"`
	Size     *int      `json:"size"`
	Writable bool      `json:"writable"`
	Created  time.Time `json:"created"`
	Modified time.Time `json:"last_modified"`
	Content  []model   `json:"content"`
}

// listings are the lists of all folders.
func listings(contents map[string][]byte) map[string][]byte {
	folders := map[string][]model{"": nil}
	for _, name := range sorted(contents) {
		of := fileModel(name, len(contents[name]))
		for {
			dir := path.Dir(name)
			if dir == "." {
				dir = ""
			}
			_, known := folders[dir]
			folders[dir] = append(folders[dir], of)
			if known {
				break
			}
			name, of = dir, folderModel(dir, of.Writable)
		}
	}
	files := map[string][]byte{}
	for dir, entries := range folders {
		m := folderModel(dir, true)
		m.Format, m.Content = new("json"), entries
		text, err := json.Marshal(m)
		if err != nil {
			panic("lab: " + err.Error()) // a model can be marshalled
		}
		files[path.Join("api/contents", dir, listing)] = append(text, '\n')
	}
	return files
}

func folderModel(dir string, writable bool) model {
	return model{Name: strings.TrimPrefix(path.Base(dir), "."), Path: dir, Type: "directory", Writable: writable, Created: Never, Modified: Never}
}

func fileModel(name string, size int) model {
	m := model{Name: path.Base(name), Path: name, Type: "file", Size: &size, Writable: true, Created: Never, Modified: Never}
	switch path.Ext(name) {
	case ".ipynb":
		m.Type = "notebook"
	case ".go":
		m.Mimetype, m.Writable = new("text/x-go"), false // it is of the library
	case ".md":
		m.Mimetype = new("text/markdown")
	}
	return m
}

// joined returns a notebook that has the Markdown of each output in one piece, as Jupyter's server gives it. JupyterLab's
// table of contents can't read lines, and would stay empty. Other notebooks stay as they are, to the byte.
func joined(notebook []byte) ([]byte, error) {
	var all map[string]any
	d := json.NewDecoder(bytes.NewReader(notebook))
	d.UseNumber()
	if err := d.Decode(&all); err != nil {
		return nil, fmt.Errorf("lab: a notebook: %w", err)
	}
	changed := false
	cells, _ := all["cells"].([]any)
	for _, cell := range cells {
		c, _ := cell.(map[string]any)
		outputs, _ := c["outputs"].([]any)
		for _, output := range outputs {
			o, _ := output.(map[string]any)
			data, _ := o["data"].(map[string]any)
			if lines, ok := data["text/markdown"].([]any); ok {
				text := ""
				for _, line := range lines {
					text += fmt.Sprint(line)
				}
				data["text/markdown"], changed = text, true
			}
		}
	}
	if !changed {
		return notebook, nil
	}
	return json.Marshal(all)
}
