package lab

import (
	"context"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"marginalia/internal/base/processes"
)

// shutdownTime is what JupyterLab gets to shut its kernels down.
const shutdownTime = 15 * time.Second

// runJupyter runs JupyterLab until it ends by itself, or until ctx ends and
// it has been shut down.
func runJupyter(ctx context.Context, e Environment, dir string, port int, o Options, stderr *os.File) error {
	args := []string{
		e.Own("launch.py"),
		"--ServerApp.ip=" + o.Host,
		"--ServerApp.port=" + strconv.Itoa(port),
		"--ServerApp.port_retries=0",
		"--ServerApp.root_dir=" + dir,
	}
	args = append(args, o.view(dir)...)
	if o.NoBrowser {
		args = append(args, "--no-browser")
	}
	if os.Geteuid() == 0 {
		args = append(args, "--allow-root") // as in a container; the address and the token are the guard
	}
	cmd := exec.Command(e.Python(), args...)
	cmd.Dir = dir
	cmd.Env = e.environ()
	if o.Extra != nil {
		cmd.Args = append(cmd.Args, o.Extra.Args...)
		cmd.Env = append(cmd.Env, o.Extra.Environ...)
	}
	cmd.Stdout, cmd.Stderr = stderr, stderr
	// A process group of its own: Ctrl-C reaches this process alone, which
	// then ends JupyterLab in order.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	lifeline, err := cmd.StdinPipe()
	if err != nil {
		return fmt.Errorf("lab: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("lab: JupyterLab does not start: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil && ctx.Err() == nil {
			return fmt.Errorf("lab: JupyterLab has ended (%w): its last lines above say why", err)
		}
		return nil
	case <-ctx.Done():
	}
	lifeline.Close() // launch.py then sends SIGTERM; a second one would meet the first one's handler
	select {
	case <-ended:
		return nil
	case <-time.After(shutdownTime):
	}
	// Kernels are sessions of their own, so the group does not hold them.
	processes.Kill(cmd.Process.Pid)
	<-ended
	return fmt.Errorf("lab: JupyterLab did not end in %v and was killed with its kernels", shutdownTime)
}

// view returns the arguments for the first page, and for hidden files.
func (o Options) view(dir string) (args []string) {
	page := "/lab" + first(dir)
	if o.Extra != nil && o.Extra.Page != "" {
		page = o.Extra.Page
	}
	args = append(args, "--LabApp.default_url="+page)
	if o.Lectures {
		args = append(args,
			"--ServerApp.contents_manager_class=marginalia_contents.Contents",
			"--Contents.own="+OwnFolder)
		// What is there for tests alone; __pycache__ and its like are Jupyter's own default.
		for _, glob := range []string{"*.go", "celltests", "figures.sum", "__pycache__", "*.pyc", "*.pyo", ".DS_Store", "*~"} {
			args = append(args, "--Contents.hide_globs="+glob)
		}
	}
	return args
}

// OwnFolder is the folder below the lectures for the notebooks that readers make.
const OwnFolder = "own"

// first returns the page that opens first: the index of dir, its first notebook or its
// README; "" if it has no such file.
func first(dir string) string {
	for _, pattern := range []string{"00-index.ipynb", "*.ipynb", "notebooks/*.ipynb", "source/*/*.ipynb", "README.md"} {
		if files, _ := fs.Glob(os.DirFS(dir), pattern); len(files) > 0 {
			return "/tree/" + (&url.URL{Path: files[0]}).EscapedPath()
		}
	}
	return ""
}

// DefaultPort is Jupyter's own.
const DefaultPort = 8888

// freePort returns the port for JupyterLab on host: the one asked for, which
// must be free, or if asked is 0 the first free one from 8888 upwards.
func freePort(host string, asked int) (int, error) {
	if asked != 0 {
		if err := Listenable(host, asked); err != nil {
			return 0, fmt.Errorf("lab: port %d of %s cannot be used (%v): give another with --port, or leave --port out for the next free one", asked, host, err)
		}
		return asked, nil
	}
	var err error
	for port := DefaultPort; port < DefaultPort+100; port++ {
		if err = Listenable(host, port); err == nil {
			return port, nil
		}
	}
	return 0, fmt.Errorf("lab: no port from %d to %d of %s can be used (%v): give one with --port", DefaultPort, DefaultPort+99, host, err)
}

// Listenable returns why no server can listen on the port, nil if one can.
func Listenable(host string, port int) error {
	l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		return err
	}
	return l.Close()
}
