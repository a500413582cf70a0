package workspace

import _ "embed"

// Source and Copies are the files of this package that the kernel is built with.
var (
	//go:embed workspace.go
	Source string
	//go:embed copies.go
	Copies string
)
