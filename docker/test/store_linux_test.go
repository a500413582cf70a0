//go:build browser

package test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// What the builder's folder has:
//
//	overlay, vfs, run    buildah's store, which is made anew if it is broken
//	files                how many files its images have
//	base-trixie.tar.gz   the base
//	tmp                  buildah's mounts of kind cache: modules, packages, compiled packages
//	hub                  JupyterHub
//	docker               Debian's packages of Docker, unpacked
//
// Files appear whole or not at all, by their renaming.

// stores are the parts that belong to buildah's store.
var stores = []string{"overlay", "vfs", "run", "files"}

func (b *builder) hasStore() bool {
	entries, err := os.ReadDir(filepath.Join(b.dir, b.driver))
	return err == nil && len(entries) > 0
}

// removeStore removes buildah's store, whatever state it is in.
func (b *builder) removeStore(ctx context.Context) error {
	_, _ = b.run(ctx, "umount", "--all") // as far as it still knows them
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(mounts)) {
		// The fifth field is the path (proc_pid_mountinfo(5)).
		if fields := strings.Fields(line); len(fields) > 4 && strings.HasPrefix(fields[4], b.dir+"/") {
			if err := unix.Unmount(fields[4], unix.MNT_DETACH); err != nil {
				return fmt.Errorf("umount %s: %w", fields[4], err)
			}
		}
	}
	for _, part := range stores {
		if err := os.RemoveAll(filepath.Join(b.dir, part)); err != nil {
			return err
		}
	}
	return nil
}

// whole reports an error if an image has not as many files and bytes as it had
// when it was first seen, right after it was built.
func (b *builder) whole(name, rootfs string) error {
	var files, bytes int64
	err := filepath.WalkDir(rootfs, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			files++
			bytes += info.Size()
		}
		return err
	})
	if err != nil {
		return err
	}
	out, err := b.run(context.Background(), "inspect", "--type", "image", "--format", "{{.FromImageID}}", name)
	if err != nil {
		return err
	}
	got := fmt.Sprintf("%d files, %d bytes", files, bytes)
	path := filepath.Join(b.dir, "files", out)
	want, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		return os.WriteFile(path, []byte(got), 0o644)
	case err != nil:
		return err
	case got != string(want):
		return fmt.Errorf("the image %s has %s in the store, and had %s when it was built", name, got, want)
	}
	return nil
}

// base makes the base image: Debian's smallest system.
func (b *builder) base(ctx context.Context) error {
	const name = "localhost/base:" + suite
	if _, err := b.run(ctx, "inspect", "--type", "image", name); err == nil {
		i, err := b.open(ctx, name)
		if err != nil {
			return err
		}
		return b.whole(name, i.rootfs)
	}
	archive, err := b.bootstrap(ctx)
	if err != nil {
		return err
	}
	c, err := b.run(ctx, "from", "scratch")
	if err != nil {
		return err
	}
	rootfs, err := b.run(ctx, "mount", c)
	if err != nil {
		return err
	}
	if out, err := exec.CommandContext(ctx, "tar", "-xpzf", archive, "--numeric-owner", "-C", rootfs).CombinedOutput(); err != nil {
		return fmt.Errorf("%s cannot be unpacked, remove it: %w: %s", archive, err, out)
	}
	if _, err := b.run(ctx, "commit", "--format", "docker", c, name); err != nil {
		return err
	}
	return b.whole(name, rootfs)
}

// bootstrap returns an archive of Debian's smallest system, made at the first time.
func (b *builder) bootstrap(ctx context.Context) (string, error) {
	archive := filepath.Join(b.dir, "base-"+suite+".tar.gz")
	if _, err := os.Stat(archive); err == nil {
		return archive, nil
	}
	start := time.Now()
	mirror, err := mirror(ctx)
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(b.dir, "base-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	rootfs, half := filepath.Join(dir, "rootfs"), filepath.Join(dir, "archive")
	for _, argv := range [][]string{
		{"debootstrap", "--variant=minbase", suite, rootfs, mirror},
		{"tar", "-I", "gzip -1", "-cf", half, "--numeric-owner", "-C", rootfs, "."},
	} {
		if out, err := exec.CommandContext(ctx, argv[0], argv[1:]...).CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s: %w:\n%s", argv[0], err, out[max(0, len(out)-4000):])
		}
	}
	fmt.Fprintf(os.Stderr, "the base was made in %.0f s\n", time.Since(start).Seconds())
	return archive, os.Rename(half, archive)
}

// mirror is the one from which this machine has its own packages.
func mirror(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "apt-get", "indextargets", "--format", "$(SITE)", "Created-By: Packages", "Origin: Debian", "Label: Debian").Output()
	if site, _, _ := strings.Cut(string(out), "\n"); err == nil && site != "" {
		return site, nil
	}
	return "", errors.Join(errors.New("apt-get indextargets names no mirror of Debian: this test runs on Debian, after apt-get update"), err)
}

// An image of which something has taken a file is noticed, and a store that is no
// store any more is removed, mounts included, but nothing else.
func TestBrokenStore(t *testing.T) {
	i := testImage(t)
	b := &builder{dir: t.TempDir(), driver: i.builder.driver}
	if err := os.Mkdir(filepath.Join(b.dir, "tmp"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.removeStore(context.Background()); err != nil {
			t.Error(err)
		}
	})
	const name = "localhost/small"
	build := func() string {
		t.Helper()
		c, err := b.run(t.Context(), "from", "scratch")
		if err != nil {
			t.Fatal(err)
		}
		rootfs, err := b.run(t.Context(), "mount", c)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{"one", "two"} {
			if err := os.WriteFile(filepath.Join(rootfs, file), []byte(file), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := b.run(t.Context(), "commit", "--format", "docker", c, name); err != nil {
			t.Fatal(err)
		}
		opened, err := b.open(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		return opened.rootfs
	}
	rootfs := build()
	for range 2 {
		if err := b.whole(name, rootfs); err != nil {
			t.Error(err)
		}
	}
	if err := os.Remove(filepath.Join(rootfs, "two")); err != nil {
		t.Fatal(err)
	}
	if err := b.whole(name, rootfs); err == nil || !strings.Contains(err.Error(), "1 files, 3 bytes in the store, and had 2 files, 6 bytes") {
		t.Errorf("an image without one of its files: %v", err)
	}
	// Half of the rest is gone, too.
	if err := os.RemoveAll(filepath.Join(b.dir, b.driver, b.driver+"-layers")); err != nil {
		t.Fatal(err)
	}
	if err := b.removeStore(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(b.dir, "tmp")); err != nil || b.hasStore() {
		t.Errorf("after removeStore: tmp %v, a store %v", err, b.hasStore())
	}
	if err := b.whole(name, build()); err != nil {
		t.Error(err)
	}
}
