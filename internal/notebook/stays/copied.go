package stays

import _ "embed"

// Copied is the file of this package that the kernel is built with.
//
//go:embed stays.go
var Copied string
