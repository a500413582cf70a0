//go:build !js

package main

import "os"

func main() { os.Exit(command(os.Args[1:], os.Stdout, os.Stderr)) }
