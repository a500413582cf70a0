//go:build unix

package main

import (
	"context"
	"fmt"

	"github.com/go-zeromq/zmq4"

	"marginalia/internal/kernel/jupyter"
)

// clients has the five channels that any number of Jupyter clients connect to.
type clients struct {
	key      string
	sockets  map[jupyter.Channel]zmq4.Socket
	messages chan jupyter.Message
}

// listen binds the channels and answers heartbeats, until life ends.
func listen(life context.Context, conn jupyter.Connection) (*clients, error) {
	c := &clients{key: conn.Key, messages: make(chan jupyter.Message, 64), sockets: map[jupyter.Channel]zmq4.Socket{
		jupyter.Shell: zmq4.NewRouter(life), jupyter.Control: zmq4.NewRouter(life), jupyter.Stdin: zmq4.NewRouter(life),
		jupyter.IOPub: zmq4.NewPub(life), jupyter.Heartbeat: zmq4.NewRep(life),
	}}
	for ch, socket := range c.sockets {
		if err := socket.Listen(conn.Endpoint(ch)); err != nil {
			return nil, fmt.Errorf("the kernel cannot listen on %s: %w", conn.Endpoint(ch), err)
		}
	}
	for _, ch := range []jupyter.Channel{jupyter.Shell, jupyter.Control, jupyter.Stdin} {
		go jupyter.Receive(life, ch, c.sockets[ch], c.key, c.messages)
	}
	go func() {
		for heart := c.sockets[jupyter.Heartbeat]; life.Err() == nil; {
			if beat, err := heart.Recv(); err == nil {
				_ = heart.Send(beat) // the client may have gone
			}
		}
	}()
	return c, nil
}

// send sends a message on its channel, to the client that its IDs name, or to all clients.
// Messages to a client that has gone are dropped.
func (c *clients) send(m jupyter.Message) {
	if len(m.IDs) == 0 && m.Channel != jupyter.IOPub {
		return
	}
	_ = c.sockets[m.Channel].SendMulti(zmq4.NewMsgFrom(m.Wire(c.key)...))
}
