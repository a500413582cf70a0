package lab

import (
	"net"
	"strconv"
)

// defaultPort is Jupyter's own.
const defaultPort = 8888

// freePort returns the port for JupyterLab on host: the one asked for, which
// must be free, or if asked is 0 the first free one from 8888 upwards.
func freePort(host string, asked int) (int, error) {
	if asked != 0 {
		if err := listenable(host, asked); err != nil {
			return 0, faultf("port %d of %s cannot be used (%v): give another with --port, or leave --port out for the next free one", asked, host, err)
		}
		return asked, nil
	}
	var err error
	for port := defaultPort; port < defaultPort+100; port++ {
		if err = listenable(host, port); err == nil {
			return port, nil
		}
	}
	return 0, faultf("no port from %d to %d of %s can be used (%v): give one with --port", defaultPort, defaultPort+99, host, err)
}

func listenable(host string, port int) error {
	l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		return err
	}
	return l.Close()
}
