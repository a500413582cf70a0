package workspace

// Usual is what cells import, as patterns for the go command.
var Usual = []string{
	"marginalia/mlkit/...", "marginalia/plotting/...", "marginalia/datasets/...", "marginalia/show/...", "marginalia/timing/...",
	"bufio", "bytes", "cmp", "container/heap", "context", "encoding/csv", "encoding/gob", "encoding/json", "errors", "flag", "fmt",
	"image", "image/color", "image/png", "io", "iter", "log", "maps", "math", "math/big", "math/bits", "math/cmplx",
	"math/rand", "math/rand/v2", "os", "path/filepath", "reflect", "regexp",
	"runtime", "slices", "sort", "strconv", "strings", "sync", "testing", "text/tabwriter", "time", "unicode", "unicode/utf8",
	"github.com/janpfeifer/gonb/cache", "github.com/janpfeifer/gonb/gonbui",
	"gonum.org/v1/gonum/floats", "gonum.org/v1/gonum/mat", "gonum.org/v1/gonum/stat", "gonum.org/v1/gonum/stat/distuv",
	"gonum.org/v1/plot", "gonum.org/v1/plot/plotter", "gonum.org/v1/plot/vg",
}

// FolderEnv names to a kernel, and so to the go command that it calls, a folder of its own.
const FolderEnv = "MARGINALIA_KERNEL_FOLDER"
