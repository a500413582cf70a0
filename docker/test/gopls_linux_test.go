//go:build browser

package test

import "testing"

// A kernel brings no gopls along until somebody presses Tab; then the names of a
// package of the course are offered, and gopls ends with the kernel.
func TestGoplsStartsWhenAsked(t *testing.T) {
	c := testImage(t).idle(t)
	out, err := c.exec(t, "python", "-c", askGopls)
	if err != nil || out != "0 1 0" {
		t.Errorf("%v: %s; want 0 processes gopls before the question, 1 after, 0 after the kernel's end", err, out)
	}
}

const askGopls = `
import glob, time
from jupyter_client.manager import start_new_kernel

def servers():
    count = 0
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            argv = open(path).read().split("\0")
        except OSError:
            continue
        # gopls counts what it is used for in a process of its own, if it may.
        count += argv[0].endswith("/gopls") and "telemetry" not in "".join(argv)
    return count

manager, client = start_new_kernel(startup_timeout=1200, kernel_name="gonb")
before = servers()
source = 'import "marginalia/mlkit/svm"\n\n%%\nsvm.'
content = client.complete(source, len(source), reply=True, timeout=1200)["content"]
assert "Classifier" in content["matches"], content
asked = servers()
client.stop_channels()
manager.shutdown_kernel()
for _ in range(12000):
    if not servers():
        break
    time.sleep(0.1)
print(before, asked, servers())
`
