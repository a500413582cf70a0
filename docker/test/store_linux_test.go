//go:build browser

package test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// What the builder's folder has:
//
//	overlay, vfs, run    buildah's store, which is made anew if it is broken
//	base-trixie.tar.gz   the base
//	tmp                  buildah's mounts of kind cache: modules, packages, compiled packages
//	hub                  JupyterHub
//	docker               Debian's packages of Docker, unpacked
//
// Files appear whole or not at all, by their renaming.

// stores are the parts that belong to buildah's store.
var stores = []string{"overlay", "vfs", "run"}

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

// base makes the base image: Debian's smallest system.
func (b *builder) base(ctx context.Context) error {
	const name = "localhost/base:" + suite
	if _, err := b.run(ctx, "inspect", "--type", "image", name); err == nil {
		return nil
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
	_, err = b.run(ctx, "commit", "--format", "docker", c, name)
	return err
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
