package kernel

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"marginalia/internal/notebook/beside"
)

// gonbModule is the kernel's module, and its main package.
const gonbModule = "github.com/janpfeifer/gonb"

// mends are what the kernel is built with beyond its module, in its folder internal.
//
// GoNB v0.11.4 stops reading the pipe of displays when the program of a cell ends,
// so that what it showed last is lost: one display in eighty, where a cell shows ten
// and does not call gonbui.Sync. Mended, it reads to the end of the pipe first. It also sends
// what a program printed before a display ahead of that display.
//
// With GoNB alone a program that reads its standard input waits for ever. Mended, GoNB asks
// the student for a line, or ends the input if nobody can answer (allow_stdin). It notes who
// wants the answer before it asks, since the answer may come at once.
//
// Mended, a GoNB that replaces a dead one can memorise what earlier cells declared without
// running them. It does so for the requests that ask for it, and for no other.
//
// It runs the Go code of a cell that is interrupted while a command (!sleep 9) runs, and answers
// "ok" if there is none. Mended, it answers that the cell was interrupted. A program that is
// interrupted still ends without "^C" in its output.
//
// It starts gopls with every kernel, in a process group that a kill of the kernel's does not
// reach. Mended, it starts none: the front asks one of its own (package complete).
//
// It knows only its own module and those that a flag names when it starts. Mended, it looks
// for modules beside the notebook before each cell (package beside).
//
// It takes a cell for running until its program ends. Mended, it also ends a cell whose program
// says that it stays to serve sliders (package display), and builds programs that can stay.
var mends = []struct{ file, old, new string }{
	{"jpyexec/jpyexec.go", "type Executor struct {\n", "type Executor struct {\n\tdrained chan struct{} // closed when the program's displays are published\n\tleaving leaving\n\tasking  asking\n\toutput  [2]outflow\n\n"},
	{"jpyexec/jpyexec.go", "\tif exec.millisecondsToInput > 0 {\n\t\texec.handleJupyterInput()\n", "\tif !exec.mayAsk() {\n\t\texec.millisecondsToInput = -1\n\t}\n\tif exec.millisecondsToInput > 0 {\n\t\texec.handleJupyterInput()\n"},
	{"jpyexec/jpyexec.go", "\tif exec.stdinContent != nil {\n", "\tgo exec.watchInput()\n\tif exec.stdinContent != nil {\n"},
	{"jpyexec/namedpipes.go", "\tklog.V(2).Infof(\"Received InputRequest %+v\", req)\n", "\tif !exec.mayAsk() {\n\t\texec.refuseInput()\n\t\treturn\n\t}\n\texec.asking.Store(true)\n"},
	{"jpyexec/namedpipes.go", "\t\tvalue := content[\"value\"].(string) + \"\\n\"\n", "\t\tvalue := content[\"value\"].(string) + \"\\n\"\n\t\texec.asking.Store(false)\n"},
	{"jpyexec/jpyexec.go", "_, err := io.Copy(exec.stdoutWriter, exec.cmdStdout)", "err := exec.output[0].run(exec.stdoutWriter, exec.cmdStdout)"},
	{"jpyexec/jpyexec.go", "_, err := io.Copy(exec.stderrWriter, exec.cmdStderr)", "err := exec.output[1].run(exec.stderrWriter, exec.cmdStderr)"},
	{"jpyexec/namedpipes.go", "\t\t// Special case for a request for input:\n", "\t\texec.output[0].flush()\n\t\texec.output[1].flush()\n"},
	{"kernel/messages.go", "\terr = m.kernel.sockets.StdinSocket.RunLocked(\n", "\tm.kernel.stdinMsg = m\n\tm.kernel.stdinFn = onInput\n\terr = m.kernel.sockets.StdinSocket.RunLocked(\n"},
	{"kernel/messages.go", "\t// Register callback.\n\tm.kernel.stdinMsg = m\n\tm.kernel.stdinFn = onInput\n\n", ""},
	{"jpyexec/namedpipes.go", "\texec.openPipeReader()\n", "\texec.drained = make(chan struct{})\n\texec.leaving.stays = make(chan struct{})\n\texec.openPipeReader()\n"},
	{"jpyexec/namedpipes.go", "\t\tgo exec.pollNamedPipeReader()\n", "\t\tgo func() {\n\t\t\tdefer close(exec.drained)\n\t\t\texec.pollNamedPipeReader()\n\t\t}()\n"},
	{"jpyexec/jpyexec.go", "\texec.exitError = cmd.Wait()\n", "\texec.exitError = exec.wait(cmd)\n\texec.drain()\n"},
	{"jpyexec/namedpipes.go", "\t\texec.dispatchDisplayData(data)\n", "\t\texec.dispatchDisplayData(data)\n\t\tif _, stays := data.Data[stayType]; stays {\n\t\t\texec.leave()\n\t\t}\n"},
	{"goexec/execcode.go", "\toutput, err := cmd.CombinedOutput()\n", "\toutput, err := s.build(cmd)\n"},
	{"goexec/execcode.go", "\tklog.V(2).Infof(\"ExecuteCell: after s.parseLinesAndComposeMain()\")\n", "\tif declaresOnly(msg) {\n\t\ts.Definitions = updatedDecls\n\t\treturn nil\n\t}\n"},
	{"dispatcher/dispatcher.go", "\t\tklog.V(2).Infof(\"Received interrupt_request.\")\n", "\t\tmsg.Kernel().Interrupted.Store(true)\n"},
	{"jpyexec/jpyexec.go", "\t\tif exec.Msg.Kernel().Interrupted.Load() {\n\t\t\terrMsg = \"^C\\n\" + errMsg\n\t\t}\n", ""},
	{"dispatcher/dispatcher.go", "\t\thasMoreToRun := ", "\t\tif executionErr == nil && msg.Kernel().Interrupted.Load() {\n\t\t\texecutionErr = errors.New(\"interrupted\")\n\t\t}\n\t\thasMoreToRun := "},
	{"goexec/goexec.go", "\tif _, err = exec.LookPath(\"gopls\"); err == nil {\n", "\tif false {\n"},
	{"goexec/execcode.go", "package goexec\n\nimport (\n", "package goexec\n\nimport (\n\t\"" + gonbModule + "/internal/beside\"\n"},
	{"goexec/execcode.go", "\terr := s.AutoTrack()\n", "\tif err := modules.Join(s.TempDir); err != nil {\n\t\treturn err\n\t}\n\terr := s.AutoTrack()\n"},
	{"goexec/execcode.go", "\n// ExecuteCell takes", "\nvar modules = beside.NewJoiner()\n\n// ExecuteCell takes"},
}

// The mends call functions of these files.
var (
	//go:embed gonb/declare.go.txt
	declare string
	//go:embed gonb/drain.go.txt
	drain string
	//go:embed gonb/input.go.txt
	input string
	//go:embed gonb/leave.go.txt
	leave string
	//go:embed gonb/stay.go.txt
	stay string
)

// additions are the files that are added to the kernel's module, below its folder internal.
var additions = map[string]string{
	"jpyexec/drain.go": drain, "jpyexec/input.go": input, "jpyexec/leave.go": leave,
	"goexec/declare.go": declare, "goexec/stay.go": stay, "beside/beside.go": beside.Source, "beside/copies.go": beside.Copies,
}

// mended copies the kernel's module into dir, mends the copy, and returns a go.mod
// that is the repository's and takes the kernel from there.
func (t *Toolchain) mended(ctx context.Context, dir string) (string, error) {
	cmd := t.command(ctx, t.Root, "mod", "download", "-json", gonbModule)
	var module struct{ Dir, Error string }
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if json.Unmarshal(out, &module) != nil || err != nil || module.Error != "" {
		return "", errors.New(cause(module.Error+"\n"+stderr.String(), err))
	}
	copied := filepath.Join(dir, "gonb")
	if err := os.CopyFS(copied, os.DirFS(module.Dir)); err != nil {
		return "", err
	}
	for _, m := range mends {
		name := filepath.Join(copied, "internal", m.file)
		text, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		if bytes.Count(text, []byte(m.old)) != 1 {
			return "", fmt.Errorf("%s of %s is not the one of v0.11.4: want %q in it exactly once", m.file, gonbModule, m.old)
		}
		if err := os.WriteFile(name, bytes.Replace(text, []byte(m.old), []byte(m.new), 1), 0o644); err != nil {
			return "", err
		}
	}
	if err := os.Mkdir(filepath.Join(copied, "internal", "beside"), 0o755); err != nil {
		return "", err
	}
	for name, text := range additions {
		if err := os.WriteFile(filepath.Join(copied, "internal", name), []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	for name, more := range map[string]string{"go.sum": "", "go.mod": fmt.Sprintf("\nreplace %s => %q\n", gonbModule, copied)} {
		text, err := os.ReadFile(filepath.Join(t.Root, name))
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(dir, name), append(text, more...), 0o644); err != nil {
			return "", err
		}
	}
	return filepath.Join(dir, "go.mod"), nil
}
