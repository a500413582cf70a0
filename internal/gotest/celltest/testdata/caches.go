// Command caches computes a value with GoNB's cache.
package main

import (
	"fmt"

	"github.com/janpfeifer/gonb/cache"
)

func main() {
	cache.Cache("value", func() int { fmt.Println("computed"); return 1 })
}
