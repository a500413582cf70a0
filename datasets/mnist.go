package datasets

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"marginalia/internal/base/mnistfiles"

	"gonum.org/v1/gonum/mat"
)

// MNIST returns the 60000 training and the 10000 test digits of MNIST. A sample is an
// image of 28×28 pixels, row by row. A pixel is byte/255, from 0 (background) to 1 (ink).
// Labels are the digits 0 to 9. The matrices take 440 MB; use [MNISTOnly] to read fewer
// samples.
//
// The package comment says where the files come from.
//
// Source: Y. LeCun, C. Cortes, C. J. C. Burges, The MNIST database of handwritten
// digits, 1998; Y. LeCun, L. Bottou, Y. Bengio, P. Haffner, Gradient-based learning
// applied to document recognition, Proceedings of the IEEE 86, 1998, 2278-2324.
func MNIST() (train, test *Dataset, err error) {
	return mnist([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
}

// MNISTOnly returns the samples of [MNIST] that show one of the given digits, in the
// order of the files, labelled with the digit. [Dataset.Binary] turns the labels of two
// digits into -1 and +1 without copying X.
func MNISTOnly(digits ...int) (train, test *Dataset, err error) {
	if len(digits) == 0 {
		return nil, nil, errors.New("datasets: MNISTOnly: no digits asked for")
	}
	for i, c := range digits {
		if c < 0 || c > 9 {
			return nil, nil, fmt.Errorf("datasets: MNISTOnly: digit %d, want 0 to 9", c)
		}
		if slices.Contains(digits[:i], c) {
			return nil, nil, fmt.Errorf("datasets: MNISTOnly: digit %d twice", c)
		}
	}
	digits = slices.Clone(digits)
	slices.Sort(digits)
	return mnist(digits)
}

// HaveMNIST reports whether MNIST is on this machine, so that [MNIST] won't try to
// download it. Tests that need MNIST can skip if it returns false.
func HaveMNIST() bool {
	dir, _ := mnistfiles.CacheDir()
	return len(missing(dir)) == 0
}

// missing returns the files that are neither in the cache nor in the directories of
// $MARGINALIA_DATA.
func missing(cache string) []mnistfiles.File {
	var files []mnistfiles.File
	for _, f := range mnistfiles.Files {
		if _, ok := f.Find(cache); !ok && !f.Cached(cache) {
			files = append(files, f)
		}
	}
	return files
}

func mnist(digits []int) (train, test *Dataset, err error) {
	cache, cacheErr := mnistfiles.CacheDir()
	if files := missing(cache); len(files) > 0 {
		if runtime.GOOS == "js" {
			return nil, nil, errPage
		}
		err := cacheErr
		if err == nil {
			err = fetchMNIST(cache)
		}
		if err != nil {
			return nil, nil, missingError(cache, files, err)
		}
	}
	f := mnistfiles.Files
	type result struct {
		d   *Dataset
		err error
	}
	done := make(chan result)
	go func() {
		d, err := readMNIST("MNIST test", cache, f[2], f[3], digits)
		done <- result{d, err}
	}()
	train, err = readMNIST("MNIST training", cache, f[0], f[1], digits)
	other := <-done
	if err = errors.Join(err, other.err); err != nil {
		return nil, nil, fmt.Errorf("datasets: MNIST: %w", err)
	}
	return train, other.d, nil
}

// errPage is the error in a page, which downloads nothing.
var errPage = errors.New("datasets: MNIST, 11 MB, is not part of this page. On a computer the same code works:\n" +
	"go run . lab opens the notebook, and the first call downloads the files")

// missingError explains why files are unavailable and how else to get them.
func missingError(cache string, files []mnistfiles.File, err error) error {
	var names []string
	for _, f := range files {
		names = append(names, f.Name+".gz")
	}
	where := "a directory that $MARGINALIA_DATA names"
	if cache != "" {
		where = cache + ", or into " + where
	}
	return fmt.Errorf("datasets: MNIST is not on this machine and cannot be downloaded: %w\nGet %s elsewhere and put them into %s", err, strings.Join(names, ", "), where)
}

// openMNIST opens the uncompressed content of a file. It first installs the file in the
// cache if the cache is writable.
func openMNIST(cache string, f mnistfiles.File) (io.ReadCloser, error) {
	if !f.Cached(cache) {
		path, ok := f.Find(cache)
		if !ok {
			return nil, fmt.Errorf("%s vanished from %s", f.Name, cache)
		}
		if cache == "" || f.Install(cache, path) != nil {
			content, err := f.Read(path)
			return io.NopCloser(bytes.NewReader(content)), err
		}
	}
	return os.Open(filepath.Join(cache, f.Name))
}

// readMNIST reads the wanted digits of the training or the test set.
func readMNIST(name, cache string, images, labels mnistfiles.File, digits []int) (*Dataset, error) {
	lf, err := openMNIST(cache, labels)
	if err != nil {
		return nil, err
	}
	defer lf.Close()
	l, err := ReadIDX(lf, labels.Name)
	if err != nil {
		return nil, err
	}
	f, err := openMNIST(cache, images)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d, err := selectDigits(f, l.Data, digits)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", images.Name, err)
	}
	d.Name = name
	d.Source = "Y. LeCun, C. Cortes, C. J. C. Burges, The MNIST database of handwritten digits, 1998"
	return d, nil
}

// selectDigits reads those images of an IDX file whose label is one of digits. It uses a
// small buffer, since usually most of the file is not wanted.
func selectDigits(images io.Reader, labels []byte, digits []int) (*Dataset, error) {
	typ, shape, _, err := readIDXHeader(images)
	if err != nil {
		return nil, err
	}
	if typ != IDXUint8 || !slices.Equal(shape, []int{len(labels), 28, 28}) {
		return nil, fmt.Errorf("elements of type %#02x and shape %v, want %d images of 28×28 bytes", byte(typ), shape, len(labels))
	}
	var wanted [256]bool
	d := &Dataset{Labels: digits, Height: shape[1], Width: shape[2]}
	for _, c := range digits {
		wanted[c] = true
		d.Classes = append(d.Classes, strconv.Itoa(c))
	}
	for _, c := range labels {
		if wanted[c] {
			d.Y = append(d.Y, int(c))
		}
	}
	if len(d.Y) == 0 {
		return nil, fmt.Errorf("no image has one of the labels %v", digits)
	}
	pixels := shape[1] * shape[2]
	x := make([]float64, 0, len(d.Y)*pixels)
	const chunk = 256 // images
	buf := make([]byte, chunk*pixels)
	for i := 0; i < len(labels); i += chunk {
		n := min(chunk, len(labels)-i)
		if _, err := io.ReadFull(images, buf[:n*pixels]); err != nil {
			return nil, fmt.Errorf("in images %d to %d: %w", i, i+n-1, unexpected(err))
		}
		for k, c := range labels[i : i+n] {
			if wanted[c] {
				for _, b := range buf[k*pixels : (k+1)*pixels] {
					x = append(x, scaled[b])
				}
			}
		}
	}
	if err := atEnd(images); err != nil {
		return nil, err
	}
	d.X = mat.NewDense(len(d.Y), pixels, x)
	return d, nil
}

// scaled[b] is b/255.
var scaled = func() (s [256]float64) {
	for b := range s {
		s[b] = float64(b) / 255
	}
	return s
}()
