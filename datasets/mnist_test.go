package datasets

import (
	"errors"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marginalia/internal/base/mnistfiles"
	"marginalia/internal/testkit/must"
	"marginalia/internal/testkit/tier"

	"gonum.org/v1/gonum/mat"
)

// needMNIST skips a test that reads the real files, unless long tests are requested.
func needMNIST(t *testing.T) {
	t.Helper()
	tier.Long(t)
	if !HaveMNIST() {
		t.Fatal("MNIST is not on this machine: set MARGINALIA_DATA to a directory with its four files, or run `go run marginalia/datasets/fetch`")
	}
}

// emptyCache gives the test a user's cache directory of its own, while the go command keeps
// its caches. It returns the directory for MNIST in it, which does not exist yet.
func emptyCache(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} {
		out := must.Get(exec.Command("go", "env", name).Output()).Or(t)
		t.Setenv(name, strings.TrimSpace(string(out)))
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(home, "cache"))
	t.Setenv("LocalAppData", home)
	dir := must.Get(mnistfiles.CacheDir()).Or(t)
	return dir
}

// sources returns the paths of the real files. Call it before emptyCache.
func sources(t *testing.T) map[string]string {
	t.Helper()
	needMNIST(t)
	dir, _ := mnistfiles.CacheDir()
	paths := make(map[string]string)
	for _, f := range mnistfiles.Files {
		path, ok := f.Find(dir)
		if !ok {
			path = filepath.Join(dir, f.Name)
		}
		paths[f.Name] = path
	}
	return paths
}

// linkSources returns a directory of links to the files, for $MARGINALIA_DATA.
func linkSources(t *testing.T, paths map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, path := range paths {
		if strings.HasSuffix(path, ".gz") {
			name += ".gz"
		}
		if err := os.Symlink(path, filepath.Join(dir, name)); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	return dir
}

// LeCun's page gives 60000 and 10000 samples. Classes 0 and 1 have 5923 and 6742 training
// and 980 and 1135 test samples. 0.1307 and 0.3081 are the mean and the standard deviation
// of the training pixels, known from PyTorch's example.
func TestMNIST(t *testing.T) {
	needMNIST(t)
	train, test, err := MNIST()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		d           *Dataset
		n, zero, on int
		first       []int // labels
	}{
		{train, 60000, 5923, 6742, []int{5, 0, 4, 1, 9}},
		{test, 10000, 980, 1135, []int{7, 2, 1, 0, 4}},
	} {
		d := tt.d
		if r, c := d.X.Dims(); r != tt.n || c != 784 || d.Height != 28 || d.Width != 28 || d.Len() != tt.n {
			t.Errorf("%s: %d×%d, %d labels, images %d×%d", d.Name, r, c, d.Len(), d.Height, d.Width)
		}
		if d.Count(0) != tt.zero || d.Count(1) != tt.on || !slices.Equal(d.Y[:5], tt.first) {
			t.Errorf("%s: %d zeros, %d ones, labels %v", d.Name, d.Count(0), d.Count(1), d.Y[:5])
		}
	}
	mean := mat.Sum(train.X) / (60000 * 784)
	var square float64
	for _, v := range train.X.RawMatrix().Data {
		square += v * v
	}
	std := math.Sqrt(square/(60000*784) - mean*mean)
	if math.Abs(mean-0.1307) > 5e-5 || math.Abs(std-0.3081) > 5e-5 {
		t.Errorf("pixels: mean %v, standard deviation %v", mean, std)
	}
}

func TestMNISTOnly(t *testing.T) {
	needMNIST(t)
	train, test, err := MNISTOnly(1, 0)
	if err != nil {
		t.Fatal(err)
	}
	if train.Len() != 5923+6742 || test.Len() != 980+1135 || train.Count(0) != 5923 || test.Count(1) != 1135 {
		t.Errorf("%d and %d samples, %d zeros in training, %d ones in test", train.Len(), test.Len(), train.Count(0), test.Count(1))
	}
	// The file starts with the labels 5, 0, 4, 1.
	if !slices.Equal(train.Y[:2], []int{0, 1}) || !slices.Equal(train.Labels, []int{0, 1}) || train.Class(1) != "1" {
		t.Errorf("labels %v of %v, classes %q", train.Y[:2], train.Labels, train.Classes)
	}
	// The same image through the general IDX reader: image 1 is the first 0.
	cache, _ := mnistfiles.CacheDir()
	x := must.Get(OpenIDX(filepath.Join(cache, "train-images-idx3-ubyte"))).Or(t)
	for j, b := range x.Data[784 : 2*784] {
		if got := train.X.At(0, j); got != float64(b)/255 {
			t.Fatalf("pixel %d of the first image is %v, want %d/255", j, got, b)
		}
	}
	for _, digits := range [][]int{{}, {10}, {-1}, {3, 3}} {
		if _, _, err := MNISTOnly(digits...); err == nil || !strings.HasPrefix(err.Error(), "datasets: MNISTOnly: ") {
			t.Errorf("MNISTOnly(%v): error %v", digits, err)
		}
	}
}

func TestMNISTInstallsOnce(t *testing.T) {
	paths := sources(t)
	data := linkSources(t, paths)
	cache := emptyCache(t)
	t.Setenv("MARGINALIA_DATA", data)
	first, _, err := MNISTOnly(3)
	if err != nil {
		t.Fatal(err)
	}
	entries := must.Get(os.ReadDir(cache)).Or(t)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{"t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte", "train-images-idx3-ubyte", "train-labels-idx1-ubyte"}; !slices.Equal(names, want) {
		t.Errorf("the cache has %q", names)
	}
	t.Setenv("MARGINALIA_DATA", "")
	second, _, err := MNISTOnly(3)
	if err != nil {
		t.Fatalf("from the cache: %v", err)
	}
	if !mat.Equal(first.X, second.X) {
		t.Error("the cache has other images")
	}
}

// Without a network the error says to put NAME.gz into the cache.
func TestMNISTByHand(t *testing.T) {
	paths := sources(t)
	cache := emptyCache(t)
	t.Setenv("MARGINALIA_DATA", "")
	must.Do(t, os.MkdirAll(cache, 0o755))
	for name, path := range paths {
		if err := os.Symlink(path, filepath.Join(cache, name+".gz")); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	if !HaveMNIST() {
		t.Error("HaveMNIST is false")
	}
	_, test, err := MNISTOnly(9)
	if err != nil {
		t.Fatal(err)
	}
	if test.Len() != 1009 { // LeCun's test set has 1009 nines
		t.Errorf("%d nines", test.Len())
	}
}

// Without a cache the data are read from where they are.
func TestMNISTWithoutCache(t *testing.T) {
	paths := sources(t)
	data := linkSources(t, paths)
	cache := emptyCache(t)
	t.Setenv("MARGINALIA_DATA", data)
	must.Do(t, os.MkdirAll(filepath.Dir(filepath.Dir(cache)), 0o755))
	if err := os.WriteFile(filepath.Dir(cache), nil, 0o644); err != nil { // blocks the creation of the directory
		t.Fatal(err)
	}
	_, test, err := MNISTOnly(3)
	if err != nil {
		t.Fatal(err)
	}
	if test.Len() != 1010 { // LeCun's test set has 1010 threes
		t.Errorf("%d threes", test.Len())
	}
}

// A file other than LeCun's is never used, wherever it is found.
func TestMNISTWrongFile(t *testing.T) {
	emptyCache(t)
	data := t.TempDir()
	for _, f := range mnistfiles.Files {
		must.Do(t, os.WriteFile(filepath.Join(data, f.Name), []byte("\x00\x00\x08\x01\x00\x00\x00\x01\x00"), 0o644))
	}
	t.Setenv("MARGINALIA_DATA", data)
	_, _, err := MNISTOnly(0, 1)
	var sum *mnistfiles.SumError
	if !errors.As(err, &sum) || !strings.Contains(err.Error(), data) {
		t.Errorf("error %v, want one about the sum that names %s", err, data)
	}
}

// download prepares a test in which MNIST runs the downloader: with an empty cache, one
// server, and no access to the public mirrors.
func download(t *testing.T, h http.Handler) (cache string) {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	cache = emptyCache(t)
	t.Setenv("MARGINALIA_DATA", "")
	t.Setenv("MARGINALIA_MNIST_URL", s.URL)
	for _, name := range []string{"HTTPS_PROXY", "https_proxy"} {
		t.Setenv(name, "http://127.0.0.1:1") // nobody listens there
	}
	return cache
}

func TestMNISTOffline(t *testing.T) {
	cache := download(t, http.NotFoundHandler())
	if HaveMNIST() {
		t.Fatal("HaveMNIST with an empty cache")
	}
	_, _, err := MNIST()
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		"datasets: MNIST is not on this machine and cannot be downloaded",
		"404", "ossci-datasets", "cvdf-datasets", cache, "$MARGINALIA_DATA",
		"train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz", "t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in the error:\n%v", want, err)
		}
	}
}

func TestMNISTDownload(t *testing.T) {
	paths := sources(t)
	cache := download(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path, ok := paths[strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/"), ".gz")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		http.ServeFile(w, r, path)
	}))
	// Standard output belongs to the notebook.
	stdout := os.Stdout
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	os.Stdout = w
	train, _, err := MNISTOnly(0, 1)
	os.Stdout = stdout
	w.Close()
	if err != nil {
		t.Fatal(err)
	}
	if said, _ := io.ReadAll(r); len(said) > 0 {
		t.Errorf("standard output: %q", said)
	}
	if train.Len() != 12665 {
		t.Errorf("%d samples", train.Len())
	}
	for _, f := range mnistfiles.Files {
		if !f.Cached(cache) {
			t.Errorf("%s is not in the cache", f.Name)
		}
	}
}
