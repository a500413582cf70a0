// Package display is how a cell program, which is a process of its own, hands
// figures and other rich output to what shows them: a [Sink], which on the
// kernel speaks GoNB's display protocol.
//
//	err := display.Send(display.Data{Data: display.Bundle{
//		"image/png":  png,
//		"text/plain": "a plane and its normal",
//	}})
//
// GoNB's kernel makes two named pipes for every cell and names them in the
// environment variables [PipeEnv] and [BackEnv] of the program. The program
// opens the first for writing and then the second for reading. On the first it
// sends one gob stream of [Data]; on the second the kernel answers with a gob
// stream of [CommValue]. Besides MIME types the bundle's keys may be one of the
// three special ones: [KeyInput], [KeyComm] and [KeySubscribe].
//
// The wire format is that of GoNB v0.11.5, packages gonbui/protocol and
// internal/jpyexec. The types are our own so that a cell that draws a figure
// links nothing of GoNB.
package display

// The environment of a cell program.
const (
	PipeEnv = "GONB_PIPE"      // path of the pipe from program to kernel
	BackEnv = "GONB_PIPE_BACK" // path of the pipe from kernel to program
)

// The keys of a bundle that are requests to the kernel, not content.
const (
	KeyInput     = "gonb/jupyter_input"  // an InputRequest
	KeyComm      = "gonb/comm_value"     // a CommValue
	KeySubscribe = "gonb/comm_subscribe" // a CommSubscription
)

// The addresses with which a program makes sure that all it sent has been
// taken: a CommValue to SyncAddress with an int in Value is answered by one
// from SyncAckAddress with the same int.
const (
	SyncAddress    = "#gonbui/sync"
	SyncAckAddress = "#gonbui/sync_ack"
)

// Bundle maps MIME types to content, a string or (for binary types) a []byte,
// which the kernel turns into base64.
//
// It is a named type so that gob numbers it apart from the map types of
// gonbui: if both write to one pipe, a type number defined twice would end the
// kernel's decoding.
type Bundle map[string]any

// Data is one message from program to kernel. The fields have the names of
// GoNB's protocol.DisplayData, and gob matches structs by field names.
type Data struct {
	// Data is the content, or one of the special requests.
	Data Bundle `json:"data,omitempty"`
	// Metadata is the metadata of Jupyter's display_data message. Its keys are
	// MIME types; what is meant for an image is in a map[string]float64
	// with keys "width" and "height", in CSS pixels.
	Metadata Bundle `json:"metadata,omitempty"`
	// DisplayID, if not empty, makes later messages with the same id replace
	// the output of the first.
	DisplayID string `json:"display_id,omitempty"`
}

// CommValue carries a value to or from an address in the front end.
type CommValue struct {
	Address string
	Request bool
	Value   any
}

// InputRequest asks the front end for a line of input.
type InputRequest struct {
	Prompt   string
	Password bool
}

// CommSubscription starts or ends the delivery of an address's values.
type CommSubscription struct {
	Address     string
	Unsubscribe bool
}
