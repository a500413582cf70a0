package lab

import (
	"fmt"
	"net"
	"strconv"
)

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

func Listenable(host string, port int) error {
	l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		return err
	}
	return l.Close()
}
