package main

import "syscall/js"

func host(message []byte) error {
	js.Global().Call("marginaliaDisplay", string(message))
	return nil
}
