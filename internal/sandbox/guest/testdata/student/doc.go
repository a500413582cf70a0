// Command student is a guest as generated code would make it. It runs under wasip1 alone.
package main

func main() {}
