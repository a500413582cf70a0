package main

import (
	"fmt"
	"unsafe"
)

//go:wasmimport marginalia display
func take(message unsafe.Pointer, size uint32) (status uint32)

func host(message []byte) error {
	if status := take(unsafe.Pointer(unsafe.SliceData(message)), uint32(len(message))); status != 0 {
		return fmt.Errorf("the host's status is %d", status)
	}
	return nil
}
