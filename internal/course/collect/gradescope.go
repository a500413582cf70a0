package collect

import (
	"fmt"
	"time"

	"go.yaml.in/yaml/v3"

	"marginalia/internal/course/moment"
)

// maxMetadata bounds Gradescope's submission_metadata.yml, which has the results of
// earlier grading in it: 10 kB each for 3,000 students. YAML takes some twenty times
// its text in memory.
const maxMetadata = 32 << 20

// readMetadata returns who handed in each folder of Gradescope's export. A group's
// folder has several owners. Its keys are Ruby symbols:
//
//	submission_208490284:
//	  :submitters:
//	  - :name: Ada Lovelace
//	    :sid: '340934'
//	    :email: ada@example.org
//	  :created_at: 2026-11-22 10:00:00.123456000 Z
//
// Gradescope documents the file as part of Export Submissions, not its form, which
// is that of exports in use (Otter-Grader's GradescopeParser reads the same keys).
func readMetadata(f file, zone *time.Location) (map[string][]owner, error) {
	text, err := readHead(f, maxMetadata+1)
	if err != nil {
		return nil, err
	}
	if len(text) > maxMetadata {
		return nil, fmt.Errorf("it has more than %s", bytesOf(maxMetadata))
	}
	var all map[string]struct {
		Submitters []struct {
			Name  string `yaml:":name"`
			SID   string `yaml:":sid"`
			Email string `yaml:":email"`
		} `yaml:":submitters"`
		Created string `yaml:":created_at"`
	}
	if err := yaml.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("it is not the YAML that Gradescope writes: %w", err)
	}
	owners := map[string][]owner{}
	for folder, s := range all {
		var when time.Time
		if s.Created != "" {
			var err error
			if when, err = moment.Parse(s.Created, time.UTC, zone); err != nil {
				return nil, fmt.Errorf("%s, created_at: %w", folder, err)
			}
		}
		for _, who := range s.Submitters {
			o := owner{source: "gradescope", sort: Number, key: who.SID, name: who.Name, email: who.Email, when: when, stamp: folder}
			if o.key == "" {
				o.sort, o.key = Email, who.Email
			}
			if o.key != "" {
				owners[folder] = append(owners[folder], o)
			}
		}
	}
	return owners, nil
}
