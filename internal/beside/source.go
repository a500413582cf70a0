package beside

import _ "embed"

// Source is the file of this package that the kernel is built with.
//
//go:embed beside.go
var Source string
