package datasets

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// fetchMNIST downloads the missing files into the cache.
//
// The download is a program of its own, run by the go command. With net/http linked in,
// every notebook cell that imports this package would take a quarter of a second longer
// to link. The program ends when its standard input is closed, so it never outlives this
// process.
func fetchMNIST(cache string) error {
	if _, err := exec.LookPath("go"); err != nil {
		return fmt.Errorf("the downloader needs the go command: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "run", "marginalia/datasets/fetch", "-child")
	cmd.Env = os.Environ()
	// With -trimpath the location of the source is unknown. Then the current directory
	// must belong to the module or to a workspace that contains it.
	if _, file, _, ok := runtime.Caller(0); ok && filepath.IsAbs(file) {
		if _, err := os.Stat(file); err == nil {
			cmd.Dir = filepath.Dir(file)
			cmd.Env = append(cmd.Env, "GOWORK=off")
		}
	}
	cmd.WaitDelay = 10 * time.Second
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	defer stdin.Close()
	var said bytes.Buffer
	cmd.Stdout = &said
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("the downloader failed: %w", err)
	}
	if msg := strings.TrimSpace(said.String()); msg != "" {
		return errors.New(msg)
	}
	if files := missing(cache); len(files) > 0 {
		return fmt.Errorf("the downloader left %s out", files[0].Name)
	}
	return nil
}
