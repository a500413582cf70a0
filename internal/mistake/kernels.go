package mistake

import (
	"strings"

	"marginalia/internal/nbformat"
)

// OtherKernel says of a notebook for another Go kernel, gophernotes or lgo, what is different
// here; "" of any other notebook.
func OtherKernel(nb *nbformat.Notebook) string {
	spec, _ := nb.Metadata["kernelspec"].(map[string]any)
	name, _ := spec["name"].(string)
	for _, other := range []string{"gophernotes", "lgo"} {
		if name == other || strings.HasPrefix(name, other+"-") {
			return "this notebook was written for " + other + ", another kernel for Go: on GoNB, statements go below a line with %%, and variables end with their cell"
		}
	}
	return ""
}
