package effects

import (
	"strings"

	"marginalia/internal/notebook/program"
)

// harmless reports whether a package reaches out only to the pipes of its cell, or to the folder
// for figures.
func harmless(path string) bool {
	return path == "marginalia/plotting" || strings.HasPrefix(path, "marginalia/plotting/") || path == "marginalia/internal/cell/display" || path == gonbui || strings.HasPrefix(path, gonbui+"/")
}

// cached are functions that read what this repository keeps in the user's cache: files that no
// cell changes.
var cached = map[string]string{"marginalia/datasets": "HaveMNIST MNIST MNISTOnly"}

const gonbui = "github.com/janpfeifer/gonb/gonbui"

// all stands for all names of a package.
const all = "*"

// outside has, for packages of the standard library, the functions that touch what another
// process may see. Methods of an os.File or an os.Root do not count: a function has opened it.
// A test holds the row of os against that package.
var outside = map[string]string{
	"os": "Chmod Chown Chtimes CopyFS Create CreateTemp DirFS FindProcess Lchown Link Lstat Mkdir MkdirAll MkdirTemp " +
		"Open OpenFile OpenInRoot OpenRoot ReadDir ReadFile Readlink Remove RemoveAll Rename StartProcess Stat Symlink Truncate WriteFile",
	"archive/zip":           "OpenReader",
	"crypto/tls":            all,
	"crypto/x509":           "SystemCertPool",
	"database/sql":          all,
	"debug/buildinfo":       "ReadFile",
	"debug/elf":             "Open",
	"debug/macho":           "Open OpenFat",
	"debug/pe":              "Open",
	"debug/plan9obj":        "Open",
	"expvar":                all,
	"go/build":              all,
	"go/importer":           all,
	"go/parser":             "ParseDir ParseFile",
	"html/template":         "ParseFiles ParseGlob Template.ParseFiles Template.ParseGlob",
	"io/ioutil":             "ReadDir ReadFile TempDir TempFile WriteFile",
	"log/syslog":            all,
	"mime/multipart":        "Reader.ReadForm",
	"net":                   all,
	"net/http":              all,
	"net/http/cgi":          all,
	"net/http/fcgi":         all,
	"net/http/httptest":     all,
	"net/http/httputil":     all,
	"net/http/pprof":        all,
	"net/rpc":               all,
	"net/rpc/jsonrpc":       all,
	"net/smtp":              all,
	"net/textproto":         "Dial",
	"os/exec":               all,
	"os/user":               all,
	"path/filepath":         "EvalSymlinks Glob Walk WalkDir",
	"plugin":                all,
	"syscall":               all,
	"golang.org/x/sys/unix": all, // as syscall, whose successor it is
	"text/template":         "ParseFiles ParseGlob Template.ParseFiles Template.ParseGlob",
}

// announces has, for packages of the standard library, what is seen of a start that does it.
var announces = map[string]string{
	"flag":     "Bool BoolFunc BoolVar CommandLine Duration DurationVar Float64 Float64Var Func Int Int64 Int64Var IntVar Set String StringVar TextVar Uint Uint64 Uint64Var UintVar Usage Var",
	"fmt":      "Print Printf Println",
	"log":      "Fatal Fatalf Fatalln Panic Panicf Panicln Print Printf Println SetFlags SetOutput SetPrefix",
	"net/http": "DefaultServeMux Handle HandleFunc",
	"os":       "Chdir Clearenv Exit Setenv Stderr Stdout Unsetenv",
}

// formats are the packages that tell image.Decode of a format.
const formats = "image/gif image/jpeg image/png golang.org/x/image/bmp golang.org/x/image/tiff golang.org/x/image/webp"

// opaque reports whether the tables here say all that counts of a package.
func opaque(p *program.Package) bool { return p.Standard || outside[p.ImportPath] != "" }

// touches reports whether a name of the standard library touches the outside.
func touches(s name) bool {
	row := outside[s.path]
	return row == all || contains(row, s.name)
}

func contains(row, name string) bool {
	for word := range strings.FieldsSeq(row) {
		if word == name {
			return true
		}
	}
	return false
}
