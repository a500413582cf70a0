package mistake

import (
	"slices"
	"strings"

	"marginalia/internal/notebook/nbformat"
)

// OtherKernel says of a notebook that was made with another kernel for Go what is different
// here; "" of any other notebook.
func OtherKernel(nb *nbformat.Notebook) string {
	spec, _ := nb.Metadata["kernelspec"].(map[string]any)
	name, _ := spec["name"].(string)
	kernel, _, _ := strings.Cut(strings.ToLower(name), "-")
	if slices.Contains([]string{"gophernotes", "lgo", "gopherlab", "neugram", "igo"}, kernel) {
		return "this notebook was written for " + kernel + ", another kernel for Go: on GoNB, statements go below a line with %%, and variables end with their cell"
	}
	return ""
}
