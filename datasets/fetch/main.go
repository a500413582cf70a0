// Command fetch downloads the four files of MNIST into the user's cache, where
// marginalia/datasets finds them:
//
//	go run marginalia/datasets/fetch
//
// Files that are already there, or where $MARGINALIA_DATA says, are not downloaded.
// $MARGINALIA_MNIST_URL names a mirror to try before the public ones: the URL of a
// directory with the files NAME.gz.
//
// marginalia/datasets runs this program with -child when it needs MNIST. The program
// then ends when its standard input is closed. It reports errors on standard output and
// exits with status 0, since `go run` adds a line of its own for any other status.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"marginalia/internal/base/mnistfiles"
)

// mirrors are the public copies of the files, tried in this order. The first belongs to
// PyTorch's torchvision, the second to TensorFlow.
var mirrors = []string{
	"https://ossci-datasets.s3.amazonaws.com/mnist",
	"https://storage.googleapis.com/cvdf-datasets/mnist",
}

func main() {
	child := flag.Bool("child", false, "end when standard input does; report on standard output")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, 50*time.Minute)
	defer cancel()
	if *child {
		go func() {
			io.Copy(io.Discard, os.Stdin)
			cancel()
		}()
	}
	err := run(ctx)
	switch {
	case err != nil && *child:
		fmt.Println(err)
	case err != nil:
		fmt.Fprintln(os.Stderr, "fetch:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	dir, err := mnistfiles.CacheDir()
	if err != nil {
		return err
	}
	f := fetcher{mirrors: mirrors, dir: dir, log: os.Stderr, patience: 30 * time.Second, report: 5 * time.Second}
	if own := os.Getenv("MARGINALIA_MNIST_URL"); own != "" {
		f.mirrors = append([]string{own}, mirrors...)
	}
	for _, file := range mnistfiles.Files {
		if _, ok := file.Find(dir); !ok {
			f.files = append(f.files, file)
		}
	}
	return f.fetch(ctx)
}
