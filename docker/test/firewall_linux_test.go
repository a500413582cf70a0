//go:build browser

package test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marginalia/internal/base/repo/repotest"
	"marginalia/internal/testkit/tier"
)

// network lays out what README.md has Docker make, with network namespaces in place of
// containers: two of them on the bridge, this machine at 172.30.0.1, and another machine behind
// it. Each line that it prints is who can reach whom, without and with the firewall.
const network = `
set -e
start() { # start NAMESPACE PORT: a server there
	$1 python3 -m http.server --bind 0.0.0.0 $2 >/dev/null 2>&1 &
}
reach() { # reach WHAT NAMESPACE ADDRESS PORT
	for try in $5; do
		if $2 timeout 2 bash -c "</dev/tcp/$3/$4" 2>/dev/null; then echo "$1: yes"; return; fi
		sleep 0.1
	done
	echo "$1: no"
}
all() { # all TRIES-THAT-SUCCEED TRIES-THAT-MAY-NOT
	reach "$3 container to hub" "$one" 172.30.0.1 8081 "$1"
	reach "$3 hub to container" "" 172.30.0.3 8888 "$1"
	reach "$3 container to container" "$one" 172.30.0.3 8888 "$2"
	reach "$3 container to another port" "$one" 172.30.0.1 22 "$2"
	reach "$3 container to this machine's other address" "$one" 192.0.2.1 8081 "$2"
	reach "$3 container to another machine" "$one" 192.0.2.2 80 "$2"
	reach "$3 another machine to container" "$far" 172.30.0.3 8888 "$2"
}
trap 'kill $(jobs -p)' EXIT
ip link set lo up
echo 1 >/proc/sys/net/ipv4/ip_forward
ip link add course type bridge
ip address add 172.30.0.1/16 dev course
ip link set course up
join() { # join ADDRESS ROUTE LINK: a namespace behind a new link, in $entered
	unshare --net sleep 1000 &
	until [ "$(readlink /proc/$!/ns/net)" != "$(readlink /proc/$$/ns/net)" ]; do sleep 0.05; done
	entered="nsenter --net --target $!"
	ip link add "$3" type veth peer name eth0 netns $!
	ip link set "$3" up
	$entered ip address add "$1" dev eth0
	$entered ip link set eth0 up
	$entered ip route add default via "$2"
}
join 172.30.0.2/16 172.30.0.1 one; one=$entered
join 172.30.0.3/16 172.30.0.1 two; two=$entered
ip link set one master course
ip link set two master course
join 192.0.2.2/24 192.0.2.1 far; far=$entered
ip address add 192.0.2.1/24 dev far
start "" 8081; start "" 22; start "$two" 8888; start "$far" 80
often=$(seq 600)
all "$often" "$often" open
nft -f "$1"
nft -f "$1"
all "$often" 1 closed
`

// TestFirewall loads docker/hub/firewall.nft, twice, and tries who reaches whom before and after.
func TestFirewall(t *testing.T) {
	tier.Image(t)
	root := repotest.Root(t)
	if os.Getuid() != 0 {
		t.Skip("only root makes network namespaces")
	}
	for _, program := range []string{"nft", "ip", "unshare", "nsenter", "python3"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Fatalf("there is no %s (Debian: apt install nftables iproute2 util-linux python3)", program)
		}
	}
	cmd := exec.CommandContext(t.Context(), "unshare", "--net", "bash", "-c", network, "firewall", filepath.Join(root, "docker", "hub", "firewall.nft"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const closed = `open container to hub: yes
open hub to container: yes
open container to container: yes
open container to another port: yes
open container to this machine's other address: yes
open container to another machine: yes
open another machine to container: yes
closed container to hub: yes
closed hub to container: yes
closed container to container: no
closed container to another port: no
closed container to this machine's other address: no
closed container to another machine: no
closed another machine to container: no
`
	if got := strings.ReplaceAll(string(out), "Terminated\n", ""); got != closed {
		t.Errorf("got\n%s, want\n%s", got, closed)
	}
}
