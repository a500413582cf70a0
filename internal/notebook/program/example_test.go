package program_test

import (
	"fmt"
	"strings"

	"marginalia/internal/notebook/program"
)

// The program of the third cell has the function of the second, and not that of
// the first, which %rm made the kernel forget.
func Example() {
	s := program.NewSession(".")
	for _, c := range []struct{ id, source string }{
		{"old", "func low() int { return 1 }"},
		{"new", "%rm low\nfunc high() int {\n\treturn 2\n}"},
	} {
		s.Remember(s.Step(c.id, c.source))
	}
	p := s.Step("use", "%% -v\nprintln(high())")
	for i, line := range strings.SplitAfter(p.File().Text, "\n") {
		if strings.TrimSpace(line) != "" {
			at := p.File().Origins[i]
			fmt.Printf("%-4s %d  %s", at.Cell, at.Line+1, line)
		}
	}
	fmt.Println(p.Args)
	// Output:
	//      1  package main
	// new  2  func high() int {
	// new  3  	return 2
	// new  4  }
	// use  1  func main() {
	// use  1  	flag.Parse()
	// use  2  println(high())
	//      1  }
	// [-v]
}
