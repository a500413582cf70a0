package grade

import (
	"encoding/json"
	"sync"

	"marginalia/internal/judge"
)

// judged keeps what the judge has said of programs, by what they are: those who have answered nothing hand in the
// same program, and those who have copied from each other. Several graders of one version of a notebook use it at
// once. The zero value is ready.
type judged struct {
	mu      sync.Mutex
	results map[string][]byte // as JSON
	size    int
}

// maxJudged bounds what is kept, in bytes. When it is full, new programs are judged each time they occur.
const maxJudged = 64 << 20

func (j *judged) get(key string) (results map[string]judge.Result) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if data, ok := j.results[key]; ok && json.Unmarshal(data, &results) != nil {
		return nil
	}
	return results
}

// put keeps what a judge has answered, unless the machine has a part in it: a test that takes more than half of its
// time may end elsewhere, and one whose judge has ended has no time.
func (j *judged) put(key string, q judge.Request, results map[string]judge.Result) error {
	for i, name := range q.Tests {
		if s := results[name].Seconds; s == 0 || s > q.Seconds[i]/2 {
			return nil
		}
	}
	data, err := json.Marshal(results)
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.size+len(data) > maxJudged {
		return nil
	}
	if j.results == nil {
		j.results = map[string][]byte{}
	}
	j.results[key] = data
	j.size += len(data)
	return nil
}
