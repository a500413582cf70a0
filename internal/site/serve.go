package site

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"
)

// Serve serves a site to this computer until ctx ends, and tells started its address. Port 0 is any
// that is free.
func Serve(ctx context.Context, dir string, port int, started func(address string)) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("site: %w", err)
	}
	defer root.Close()
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return fmt.Errorf("site: port %d is taken: name another with --port, or 0 for any: %w", port, err)
	}
	server := &http.Server{Handler: http.FileServerFS(root.FS()), ReadHeaderTimeout: 10 * time.Second}
	stopped := context.AfterFunc(ctx, func() { server.Close() })
	defer stopped()
	started("http://" + l.Addr().String() + "/")
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("site: %w", err)
	}
	return nil
}
