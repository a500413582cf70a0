package gradebook

import (
	"context"
	"os"
	"path/filepath"
	"sync"

	"github.com/ncruces/go-sqlite3"
	_ "github.com/ncruces/go-sqlite3/driver"
	_ "github.com/ncruces/go-sqlite3/embed"
	"github.com/tetratelabs/wazero"
)

// compiler is the version of wazero in go.mod. wazero keeps versions apart by itself, except
// in programs of go test, which do not know theirs.
const compiler = "wazero-v1.12.0"

// prepare makes SQLite ready, once in a process.
var prepare = sync.OnceValue(func() error {
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(4096) // 256 MB for each open book
	if dir, err := os.UserCacheDir(); err == nil {
		config = cached(config, filepath.Join(dir, "marginalia", "sqlite-"+compiler))
	}
	sqlite3.RuntimeConfig = config
	return sqlite3.Initialize()
})

// cached makes config keep in dir what it compiles. A folder that can't be written, a full
// disk or a damaged file costs the time to compile, not the book: config then stays as it is.
func cached(config wazero.RuntimeConfig, dir string) wazero.RuntimeConfig {
	cache, err := wazero.NewCompilationCacheWithDir(dir)
	if err != nil {
		return config
	}
	with := config.WithCompilationCache(cache)
	// sqlite3.Initialize fails for good if the cache does, so the cache is tried before it.
	if _, err := wazero.NewRuntimeWithConfig(context.Background(), with).CompileModule(context.Background(), sqlite3.Binary); err != nil {
		return config
	}
	return with
}
