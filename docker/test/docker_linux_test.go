//go:build browser

package test

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/testkit/must"
)

// TestDocker follows README.md with Docker itself, as Debian packages it: the hub for a class,
// with its network and its firewall, the image on a laptop, and its backup. Docker's daemon is
// killed, too. It runs in namespaces of its own, so this machine's network stays as it is; there
// is no network outside, so the images are those that buildah has built.
func TestDocker(t *testing.T) {
	i := hubImage(t, testImage(t))
	d := startDocker(t, i.builder.dir)
	d.load(t, i, "marginalia-hub:local")
	t.Run("class", func(t *testing.T) {
		d.run(t, partOfReadme(t, "docker network create", "python3 -m venv"))
		h := startHub(t, i, d, time.Hour)
		h.attend(t, 2, false)
		h.survives(t)
	})
	t.Run("laptop", d.laptop)
}

// A docker is a running daemon of Docker's.
type docker struct {
	dir      string
	programs string    // the folder that Debian's packages were unpacked into
	root     *exec.Cmd // process 1 of the namespaces
	daemon   *exec.Cmd
}

// dockerPrograms returns a folder in the user's cache with the files of Debian's packages of
// Docker. Installed, they would start a daemon that changes the network of this machine.
func dockerPrograms(t *testing.T, dir string) string {
	t.Helper()
	folder := filepath.Join(dir, "docker")
	if _, err := os.Stat(folder); err == nil {
		return folder
	}
	made := must.Get(os.MkdirTemp(dir, "docker-")).Or(t)
	defer os.RemoveAll(made)
	const script = `set -e
cd "$1"
mkdir -p archives/partial files
client=$(apt-cache show docker-cli >/dev/null 2>&1 && echo docker-cli || true) # docker.io has it in older releases
apt-get install --yes --quiet --download-only --reinstall --no-install-recommends -o Dir::Cache::archives="$1/archives" docker.io containerd iptables $client
for package in archives/*.deb; do dpkg --extract "$package" files; done
[ -e files/usr/sbin/iptables ] || ln -s iptables-nft files/usr/sbin/iptables`
	if out, err := exec.CommandContext(t.Context(), "sh", "-c", script, "sh", made).CombinedOutput(); err != nil {
		t.Fatalf("Debian's packages of Docker: %v: %s", err, out[max(0, len(out)-3000):])
	}
	must.Do(t, os.Rename(filepath.Join(made, "files"), folder))
	return folder
}

// startDocker starts Docker in namespaces of its own. The folder keeps Docker's programs from one
// run to the next. The namespaces end with the test, with everything that runs in them: their
// process 1 then reads the end of its input.
func startDocker(t *testing.T, folder string) *docker {
	t.Helper()
	d := &docker{dir: t.TempDir(), programs: dockerPrograms(t, folder)}
	for dir := d.dir; dir != os.TempDir(); dir = filepath.Dir(dir) { // volumes are in it
		must.Do(t, os.Chmod(dir, 0o755))
	}
	// docker-init waits for processes whose parent has been killed.
	d.root = exec.Command(filepath.Join(d.programs, "usr", "bin", "docker-init"), "--",
		"sh", "-c", `mount --make-rprivate / && mount -t proc proc /proc && ip link set lo up && echo ready && read end`)
	d.root.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET}
	d.root.Stderr = os.Stderr
	in := must.Get(d.root.StdinPipe()).Or(t)
	out := must.Get(d.root.StdoutPipe()).Or(t)
	must.Do(t, d.root.Start())
	t.Cleanup(func() {
		in.Close()
		_ = d.root.Wait()
	})
	if said, err := bufio.NewReader(out).ReadString('\n'); said != "ready\n" {
		t.Fatalf("namespaces for Docker: %q, %v", said, err)
	}
	// As Debian's services do: the daemon is killed alone.
	d.begin(t, "containerd", "--address", d.containerd(), "--root", filepath.Join(d.dir, "containerd"), "--state", filepath.Join(d.dir, "containerd-run"))
	d.start(t)
	return d
}

// begin starts a program in Docker's namespaces.
func (d *docker) begin(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	log := must.Get(os.OpenFile(filepath.Join(d.dir, "log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)).Or(t)
	defer log.Close()
	cmd := d.inside(args...)
	cmd.Stdout, cmd.Stderr = log, log
	must.Do(t, cmd.Start())
	return cmd
}

// start starts the daemon, and waits until it answers.
func (d *docker) start(t *testing.T) {
	t.Helper()
	d.daemon = d.begin(t, "dockerd", "--host", d.socket(), "--containerd", d.containerd(), "--storage-driver", "overlay2",
		"--data-root", filepath.Join(d.dir, "data"), "--exec-root", filepath.Join(d.dir, "run"), "--pidfile", filepath.Join(d.dir, "pid"))
	if !eventually(func() bool { return d.inside("docker", "version").Run() == nil }) {
		t.Fatalf("Docker does not answer: %s", d.said())
	}
}

// said is the end of what the daemons have written.
func (d *docker) said() []byte {
	said, _ := os.ReadFile(filepath.Join(d.dir, "log"))
	return said[max(0, len(said)-4000):]
}

func (d *docker) containerd() string { return filepath.Join(d.dir, "containerd.sock") }

func (d *docker) socket() string { return "unix://" + filepath.Join(d.dir, "docker.sock") }

// env is what programs need to find Docker.
func (d *docker) env() []string {
	var path, libraries []string
	for _, dir := range []string{"usr/sbin", "usr/bin", "sbin", "bin"} {
		path = append(path, filepath.Join(d.programs, dir))
	}
	for _, dir := range []string{"usr/lib", "lib"} {
		found, _ := filepath.Glob(filepath.Join(d.programs, dir, "*-linux-gnu"))
		libraries = append(libraries, found...)
	}
	return []string{"DOCKER_HOST=" + d.socket(), "PATH=" + strings.Join(path, ":") + ":" + os.Getenv("PATH"), "LD_LIBRARY_PATH=" + strings.Join(libraries, ":")}
}

// enter is the command that enters these of Docker's namespaces.
func (d *docker) enter(namespaces ...string) []string {
	return append([]string{"nsenter", "--target", fmt.Sprint(d.root.Process.Pid)}, namespaces...)
}

// inside is a command in Docker's namespaces.
func (d *docker) inside(args ...string) *exec.Cmd {
	args = append(d.enter("--mount", "--pid", "--net", "--", "env"), append(d.env(), args...)...)
	return exec.Command(args[0], args[1:]...)
}

// beside is a command in Docker's network alone, whose processes have the numbers that they have here.
func (d *docker) beside(args ...string) *exec.Cmd {
	args = append(d.enter("--net", "--"), args...)
	return exec.Command(args[0], args[1:]...)
}

// publish forwards a port of this computer to an address in Docker's network.
func (d *docker) publish(t *testing.T, address string) (url string) {
	t.Helper()
	return publish(t, d.root.Process.Pid, address)
}

// run runs a command of a shell's, in the repository, and returns what it writes.
func (d *docker) run(t *testing.T, command string) string {
	t.Helper()
	root := repotest.Root(t)
	out, err := d.inside("sh", "-ec", "cd "+root+"\n"+command).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v: %s\nDocker said: %s", command, err, out, d.said())
	}
	return strings.TrimSpace(string(out))
}

// partOfReadme returns the lines of README.md from the one that begins with first up to the one
// that begins with next.
func partOfReadme(t *testing.T, first, next string) string {
	t.Helper()
	_, rest, found := strings.Cut(readFile(t, "README.md"), "\n"+first)
	part, _, ended := strings.Cut(rest, "\n"+next)
	if !found || !ended {
		t.Fatalf("README.md has no lines from %q to %q", first, next)
	}
	return first + part
}

// load gives Docker an image of buildah's.
func (d *docker) load(t *testing.T, i image, as string) {
	t.Helper()
	file := filepath.Join(d.dir, "image.tar")
	defer os.Remove(file)
	must.Get(i.builder.run(t.Context(), "push", i.name, "docker-archive:"+file+":"+as)).Or(t)
	d.run(t, "docker load --quiet --input "+file)
}

// container is the one of this name.
func (d *docker) container(t *testing.T, name string) *container {
	t.Helper()
	return &container{
		id: d.run(t, "docker inspect --type container --format '{{.Id}}' "+name), state: filepath.Join(d.dir, "run", "runtime-runc", "moby"),
		enter: d.enter("--mount", "--pid", "--net", "--"),
	}
}

// volume is the folder of the volume of this name.
func (d *docker) volume(name string) string {
	return filepath.Join(d.dir, "data", "volumes", name, "_data")
}

// closed reports what students can do in a terminal to the machine, to each other and to the hub.
func (h *hub) closed(t *testing.T, names []string) {
	t.Helper()
	c := h.container(t, names[0])
	other := h.docker.run(t, "docker inspect --format '{{.NetworkSettings.Networks.course.IPAddress}}' jupyter-"+names[1])
	reach := func(address string, port int) string {
		return fmt.Sprintf(`python -c "import socket; socket.create_connection(('%s', %d), 3)"`, address, port)
	}
	c.closed(t)
	for command, want := range map[string]string{
		"grep Seccomp: /proc/self/status":    "Seccomp:\t2",
		reach("172.30.0.1", 8081):            "",
		reach("127.0.0.1", 8888):             "",
		"python -c 'x = bytearray(1 << 30)'": "",
	} {
		if got, err := c.exec(t, "sh", "-c", command); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", command, got, err, want)
		}
	}
	// Not every machine shows the limits on memory, swap and processors inside a container.
	const limits = "{{.HostConfig.Memory}} {{.HostConfig.MemorySwap}} {{.HostConfig.CpuQuota}} of {{.HostConfig.CpuPeriod}}"
	if got, want := h.docker.run(t, "docker inspect --format '"+limits+"' "+c.id), "2147483648 2147483648 100000 of 100000"; got != want {
		t.Errorf("memory, memory with swap and processor are limited to %s, want %s", got, want)
	}
	listener := h.docker.beside("python3", "-m", "http.server", "--bind", "0.0.0.0", "22")
	must.Do(t, listener.Start())
	defer func() { _ = listener.Process.Kill(); _ = listener.Wait() }()
	if !eventually(func() bool { return h.docker.beside("bash", "-c", "</dev/tcp/172.30.0.1/22").Run() == nil }) {
		t.Fatal("nothing listens on port 22")
	}
	c.cannot(t, reach(other, 8888), reach("172.30.0.1", 22), reach("172.30.0.1", 8000), reach("172.30.0.1", 8001), reach("192.0.2.1", 80),
		"echo >> /new", "echo >> /opt/marginalia/mlkit/mlkit.go", "echo >> /etc/passwd")
	// What a student prints does not fill the disk.
	if out, err := c.exec(t, "sh", "-c", "yes $(seq 1000) | head -c 60M > /proc/1/fd/1"); err != nil {
		t.Errorf("printing: %v: %s", err, out)
	}
	logs, _ := filepath.Glob(filepath.Join(h.docker.dir, "data", "containers", c.id, "*-json.log*"))
	size := int64(0)
	for _, log := range logs {
		if info, err := os.Stat(log); err == nil {
			size += info.Size()
		}
	}
	if len(logs) != 2 || size > 21e6 {
		t.Errorf("the container's output takes %d bytes in %d files, want at most two of 10 MB", size, len(logs))
	}
	if out, err := h.container(t, names[1]).exec(t, "true"); err != nil {
		t.Errorf("the other student's container: %v: %s", err, out)
	}
}

// survives kills Docker's daemon while a student's server runs. The server runs on until the next
// daemon ends it, and starts again with what the student has saved.
func (h *hub) survives(t *testing.T) {
	t.Helper()
	name := students(1)[0]
	ready := func() bool {
		return strings.Contains(string(h.call(t, http.MethodGet, "/users/"+name)), `"ready": true`)
	}
	stopped := func() bool { return h.docker.run(t, "docker ps --all --quiet") == "" && !ready() }
	start := func() *container {
		t.Helper()
		if !eventually(stopped) {
			t.Fatal("the containers of stopped servers are there")
		}
		h.call(t, http.MethodPost, "/users/"+name+"/server")
		if !eventually(ready) {
			t.Fatal("the student's server does not start")
		}
		return h.container(t, name)
	}
	works := func(c *container, command, want string) {
		t.Helper()
		if out, err := c.exec(t, "sh", "-c", command); err != nil || out != want {
			t.Errorf("%s: %q, %v; want %q", command, out, err, want)
		}
	}
	c := start()
	h.docker.run(t, "kill -KILL $(cat "+filepath.Join(h.docker.dir, "pid")+")")
	_ = h.docker.daemon.Wait() // for nsenter, whose child the daemon is
	works(c, "echo kept > $HOME/work", "")
	h.docker.start(t)
	c = start()
	works(c, "cat $HOME/work", "kept")
	if !eventually(func() bool {
		return h.docker.run(t, "docker inspect --format '{{.State.Health.Status}}' "+c.id) == "healthy"
	}) {
		t.Error("the server is not healthy")
	}
}

// laptop runs the commands of README.md for a laptop and for a backup. Those of the course's
// image are the hub's with the course's command, so that no second image has to be loaded.
func (d *docker) laptop(t *testing.T) {
	d.run(t, `docker create --name hub marginalia-hub:local && docker commit --change 'CMD []' hub marginalia:local && docker rm hub`)
	command := partOfReadme(t, "docker run --rm --read-only", "```")
	d.run(t, strings.Replace(command, "docker run", "docker run --detach --name laptop", 1))
	var token []string
	if !eventually(func() bool {
		token = address.FindStringSubmatch(d.run(t, "docker logs laptop"))
		return token != nil
	}) {
		t.Fatal("JupyterLab does not start")
	}
	url := d.publish(t, "127.0.0.1:8888")
	if status := get(t, url+"/api/contents/lectures?token="+token[1]); status != http.StatusOK {
		t.Errorf("the lectures: status %d", status)
	}
	if !eventually(func() bool { return d.run(t, "docker inspect --format '{{.State.Health.Status}}' laptop") == "healthy" }) {
		t.Error("the container is not healthy")
	}
	d.run(t, "docker stop laptop")
	// One lecture stands for all: TestLecturesRunOffline runs the others.
	offline := strings.Replace(partOfReadme(t, "docker run --rm --network none --read-only", "```"), "*.ipynb", lecture, 1)
	if got := d.run(t, offline); !strings.Contains(got, "ok") {
		t.Errorf("%s: %s", offline, got)
	}
	lines := slices.DeleteFunc(strings.Split(partOfReadme(t, "docker run --rm --network none -v", "```"), "\n"), func(line string) bool { return line == "" })
	dir := t.TempDir()
	save, back := strings.Join(lines[:2], "\n"), strings.Join(lines[2:], "\n")
	d.run(t, "cd "+dir+"\n"+save+"\ndocker volume rm marginalia-home\n"+back)
	if _, err := os.Stat(filepath.Join(d.volume("marginalia-home"), "lectures", lecture)); err != nil {
		t.Error(err)
	}
}
