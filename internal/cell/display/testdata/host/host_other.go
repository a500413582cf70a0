//go:build !js && !wasip1

package main

import (
	"fmt"
	"os"
)

func host(message []byte) error {
	_, err := fmt.Fprintf(os.Stdout, "%s\n", message)
	return err
}
