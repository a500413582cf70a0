// Command types checks the types of packages, and of all that they import, from their source, for
// the system that GOOS and GOARCH name. TestCrossTypes runs it.
package main

import (
	"fmt"
	"os"

	"golang.org/x/tools/go/packages"
)

func main() {
	loaded, err := packages.Load(&packages.Config{
		Mode:       packages.NeedName | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps | packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax,
		Env:        append(os.Environ(), "GOOS="+os.Args[1], "GOARCH="+os.Args[2], "CGO_ENABLED=0"),
		BuildFlags: []string{"-tags=browser"}, // what drives Chromium too
	}, os.Args[3:]...)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if packages.PrintErrors(loaded) > 0 {
		os.Exit(1)
	}
	checked := 0
	packages.Visit(loaded, nil, func(p *packages.Package) {
		if p.Types != nil && p.Types.Complete() {
			checked++
		}
	})
	fmt.Println(checked)
}
