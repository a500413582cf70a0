//go:build browser

package test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"marginalia/internal/base/repo"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"
)

// An image is what was built: its files, and what it says of how to run it.
type image struct {
	rootfs  string
	name    string
	builder *builder

	User        string
	Env         []string
	Entrypoint  []string
	WorkingDir  string
	Volumes     map[string]struct{}
	Labels      map[string]string
	Healthcheck struct {
		Test []string
	}
	ExposedPorts map[string]struct{}
}

// volume is the path of the image's one volume.
func (i image) volume(t *testing.T) string {
	t.Helper()
	if len(i.Volumes) != 1 {
		t.Fatalf("the image has the volumes %v, want one", i.Volumes)
	}
	for path := range i.Volumes {
		return path
	}
	return ""
}

// needs are the programs that build and run the image. All are in Debian.
var needs = []string{"buildah", "debootstrap", "runc", "git", "tar"}

// version is the image's, in its label.
const version = "0.0-test"

// suite is the Debian release that stands for the Dockerfile's base image.
const suite = "trixie"

var theImage = sync.OnceValues(func() (image, error) { return buildImage(context.Background()) })

// testImage returns the image of the repository as it is, built once for all tests.
//
// No engine and no registry of images is needed: debootstrap makes the base from
// the mirror that apt is configured with, and buildah builds on it. What does not
// depend on the repository is kept in the user's cache: the base, the layers below
// the repository, modules and packages, compiled packages. So is the image, until
// the repository changes. If buildah's store is broken all layers are built anew,
// from the base, the modules and the packages, which are kept outside of it.
//
// It takes many minutes and root. The test is skipped unless the tier image is asked for.
func testImage(t *testing.T) image {
	t.Helper()
	tier.Image(t)
	for _, program := range needs {
		if _, err := exec.LookPath(program); err != nil {
			t.Fatalf("there is no %s in PATH (Debian: apt install %s)", program, program)
		}
	}
	if os.Geteuid() != 0 {
		t.Fatal("this is not root, which buildah needs to build in a chroot")
	}
	i := must.Get(theImage()).Or(t)
	return i
}

// A builder is buildah with a store of its own, in the user's cache.
type builder struct {
	dir    string
	driver string
	lock   *os.File
}

func buildImage(ctx context.Context) (image, error) {
	root, err := repo.Root()
	if err != nil {
		return image{}, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return image{}, err
	}
	b := &builder{dir: filepath.Join(cache, "marginalia", "image"), driver: "overlay"}
	if err := os.MkdirAll(filepath.Join(b.dir, "tmp"), 0o755); err != nil {
		return image{}, err
	}
	// Another test process would remove this one's containers, so it has to wait. The
	// lock is held until this process ends.
	held, err := os.Create(filepath.Join(b.dir, "lock"))
	if err != nil {
		return image{}, err
	}
	if err := unix.Flock(int(held.Fd()), unix.LOCK_EX); err != nil {
		return image{}, err
	}
	b.lock = held
	// A store can be broken: a build was killed, or something that tidies caches has taken a layer.
	old := b.hasStore()
	i, err := b.image(ctx, root)
	if err == nil || !old {
		return i, err
	}
	fmt.Fprintf(os.Stderr, "built anew, without what there was in %s: %v\n", b.dir, err)
	if err := b.removeStore(ctx); err != nil {
		return image{}, err
	}
	return b.image(ctx, root)
}

// image returns the image of the repository, built if the store does not have it.
func (b *builder) image(ctx context.Context, root string) (image, error) {
	// Where overlays can't be mounted, as in some containers, whole copies do.
	if c, err := b.run(ctx, "from", "scratch"); err != nil {
		return image{}, err
	} else if _, err := b.run(ctx, "mount", c); err != nil {
		b.driver = "vfs"
	}
	if _, err := b.run(ctx, "rm", "--all"); err != nil {
		return image{}, err
	}
	sum, err := contextSum(ctx, root)
	if err != nil {
		return image{}, err
	}
	name := "localhost/marginalia:" + sum
	if _, err := b.run(ctx, "inspect", "--type", "image", name); err != nil {
		if err := b.clean(ctx); err != nil {
			return image{}, err
		}
		if err := b.base(ctx); err != nil {
			return image{}, err
		}
		if err := b.build(ctx, root, name); err != nil {
			return image{}, err
		}
	}
	return b.open(ctx, name)
}

// run runs buildah and returns what it wrote to standard output.
func (b *builder) run(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "buildah", append([]string{
		"--root", filepath.Join(b.dir, b.driver), "--runroot", filepath.Join(b.dir, "run"), "--storage-driver", b.driver}, args...)...)
	cmd.Env = append(os.Environ(), "TMPDIR="+filepath.Join(b.dir, "tmp")) // cache mounts live there, too
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		log := stdout.String() + stderr.String()
		return "", fmt.Errorf("buildah %s: %w:\n%s", args[0], err, log[max(0, len(log)-4000):])
	}
	return strings.TrimSpace(stdout.String()), nil
}

// clean removes earlier images of the repository, and what only they were made from.
func (b *builder) clean(ctx context.Context) error {
	images, err := b.run(ctx, "images", "--format", "{{.Name}}:{{.Tag}}")
	if err != nil {
		return err
	}
	for _, old := range strings.Fields(images) {
		if strings.HasPrefix(old, "localhost/marginalia:") {
			if _, err := b.run(ctx, "rmi", old); err != nil {
				return err
			}
		}
	}
	_, err = b.run(ctx, "rmi", "--prune")
	return err
}

// secrets are the options that mount what the machine has while it builds: its
// certificates, its settings of pip and the passwords for them.
func secrets() []string {
	var args []string
	for id, path := range map[string]string{"ca": "/etc/ssl/certs/ca-certificates.crt", "pip": "/etc/pip.conf", "netrc": filepath.Join(os.Getenv("HOME"), ".netrc")} {
		if _, err := os.Stat(path); err == nil {
			args = append(args, "--secret", "id="+id+",src="+path)
		}
	}
	return args
}

// build builds the image with what the machine has: its certificates, its settings
// of pip and go, and MNIST if it is here.
func (b *builder) build(ctx context.Context, root, name string) error {
	start := time.Now()
	args := []string{"bud", "--isolation", "chroot", "--format", "docker", "--file", filepath.Join(root, "Dockerfile"),
		"--build-arg", "BASE=localhost/base:" + suite, "--layers=" + fmt.Sprint(b.driver == "overlay")}
	args = append(args, secrets()...)
	for _, key := range []string{"GOPROXY", "GOSUMDB", "GONOSUMDB"} {
		value, err := exec.CommandContext(ctx, "go", "env", key).Output()
		if err != nil {
			return fmt.Errorf("go env %s: %w", key, err)
		}
		args = append(args, "--build-arg", key+"="+strings.TrimSpace(string(value)))
	}
	if value, set := os.LookupEnv("PIP_INDEX_URL"); set {
		args = append(args, "--build-arg", "PIP_INDEX_URL="+value)
	}
	if data := filepath.Join(os.Getenv("MARGINALIA_DATA"), "mnist"); filepath.IsAbs(data) {
		args = append(args, "--build-context", "mnist="+data)
	}
	// The layers below the library are kept by a name of their own.
	if _, err := b.run(ctx, slices.Concat(args, []string{"--target", "tools", "--tag", "localhost/tools", root})...); err != nil {
		return err
	}
	_, err := b.run(ctx, slices.Concat(args, []string{"--build-arg", "VERSION=" + version, "--tag", name, root})...)
	fmt.Fprintf(os.Stderr, "the image was built in %.0f s\n", time.Since(start).Seconds())
	return err
}

// open makes the image's files visible.
func (b *builder) open(ctx context.Context, name string) (image, error) {
	i := image{name: name, builder: b}
	out, err := b.run(ctx, "inspect", "--type", "image", name)
	if err != nil {
		return i, err
	}
	var inspected struct {
		Docker struct {
			Config *image `json:"config"`
		}
	}
	inspected.Docker.Config = &i
	if err := json.Unmarshal([]byte(out), &inspected); err != nil {
		return i, err
	}
	c, err := b.run(ctx, "from", name)
	if err != nil {
		return i, err
	}
	i.rootfs, err = b.run(ctx, "mount", c)
	return i, err
}

// contextSum hashes what the image is made from: of the files that git knows or
// would add those that .dockerignore, which begins with "*", lets in again.
func contextSum(ctx context.Context, root string) (string, error) {
	args := []string{"ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate", "--", "Dockerfile"}
	ignore, err := os.ReadFile(filepath.Join(root, ".dockerignore"))
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(ignore)) {
		line = strings.TrimSpace(line)
		if line == "" || line == "*" || line[0] == '#' {
			continue
		}
		magic := ":(exclude,glob)"
		if again, ok := strings.CutPrefix(line, "!"); ok {
			line, magic = again, ":(glob)"
		}
		args = append(args, magic+line, magic+line+"/**")
	}
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git ls-files: %w", err)
	}
	files := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	slices.Sort(files)
	h := sha256.New()
	for _, f := range files {
		b, err := os.ReadFile(filepath.Join(root, f))
		if errors.Is(err, os.ErrNotExist) {
			continue // deleted, and git was not told
		}
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s %d\n", f, len(b))
		h.Write(b)
	}
	return hex.EncodeToString(h.Sum(nil))[:12], nil
}
