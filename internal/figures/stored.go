package figures

import (
	"encoding/base64"

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
	file, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(file) == 0 {
		return nil
	}
	return file
}
