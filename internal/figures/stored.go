package figures

import (
	"encoding/base64"
	"strings"

	"marginalia/internal/nbformat"
)

// nameKey is the key of an output's metadata under which plotting.Show leaves
// the name of the figure.
const nameKey = "figure"

// of returns the data of the output that shows the figure, nil if none does.
func of(outputs []nbformat.Output, name string) map[string]any {
	for _, o := range outputs {
		if o.Metadata[nameKey] == name {
			return o.Data
		}
	}
	return nil
}

// stored returns the PNG file of a figure that the notebook holds.
func stored(c *nbformat.Cell, name string) []byte {
	text, _ := of(c.Outputs, name)["image/png"].(string)
	file, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil || len(file) == 0 {
		return nil
	}
	return file
}

// shown returns what the figure says to those who do not see it.
func shown(outputs []nbformat.Output, name string) string {
	text, _ := of(outputs, name)["text/plain"].(string)
	return text
}
