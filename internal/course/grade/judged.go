package grade

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/json"
	"sync"

	"marginalia/internal/sandbox/host"
)

// judged keeps what the judge has said of programs, by what they are: those who have answered nothing hand in the
// same program, and those who have copied from each other. Several graders of one version of a notebook use it at
// once. The zero value is ready.
type judged struct {
	mu      sync.Mutex
	results map[[sha256.Size]byte][]byte // by a hash of the key: JSON, deflated
	size    int
}

// maxJudged bounds what is kept, in bytes. When it is full, new programs are judged each time they occur.
const maxJudged = 16 << 20

func (j *judged) get(key string) (results map[string]host.Result) {
	j.mu.Lock()
	defer j.mu.Unlock()
	data, ok := j.results[sha256.Sum256([]byte(key))]
	if ok && json.NewDecoder(flate.NewReader(bytes.NewReader(data))).Decode(&results) != nil {
		return nil
	}
	return results
}

// put keeps what a judge has answered, unless the machine has a part in it: a test that takes more than half of its
// time may end elsewhere, and one whose judge has ended has no time.
func (j *judged) put(key string, q host.Request, results map[string]host.Result) error {
	for i, name := range q.Tests {
		if s := results[name].Seconds; s == 0 || s > q.Seconds[i]/2 {
			return nil
		}
	}
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestSpeed)
	if err != nil {
		return err
	}
	if err := json.NewEncoder(w).Encode(results); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	data := bytes.Clone(b.Bytes())
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.size+len(data) > maxJudged {
		return nil
	}
	if j.results == nil {
		j.results = map[[sha256.Size]byte][]byte{}
	}
	j.results[sha256.Sum256([]byte(key))] = data
	j.size += len(data)
	return nil
}
