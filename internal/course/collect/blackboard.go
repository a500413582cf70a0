package collect

import "strings"

// receipts are what the .txt files say that Blackboard adds to each attempt: whose login
// stands before _attempt_, behind the name of the assignment.
type receipts struct {
	of         map[string]owner // by what stands before _attempt_
	assignment string           // what all receipts have before the login; "" if they differ
}

// receipts reads the .txt files of an export.
func (c *collector) receipts(files []file, around int) receipts {
	r := receipts{of: map[string]owner{}}
	for _, f := range files {
		if len(f.path) != around+1 || f.refused != "" {
			continue
		}
		m := blackboardName.FindStringSubmatch(f.path[around])
		if m == nil || m[4] == "" {
			continue
		}
		head, err := readHead(f, 1<<10)
		if err != nil {
			continue
		}
		line, _, _ := strings.Cut(string(head), "\n")
		name, found := strings.CutPrefix(strings.TrimSpace(line), "Name: ")
		if !found || !strings.HasSuffix(name, ")") {
			continue
		}
		name, login := cutLast(strings.TrimSuffix(name, ")"), " (")
		before, ends := strings.CutSuffix(m[1], "_"+login)
		if login == "" || !ends {
			continue
		}
		if len(r.of) == 0 {
			r.assignment = before + "_"
		} else if r.assignment != before+"_" {
			r.assignment = ""
		}
		r.of[m[1]] = owner{key: login, name: name}
	}
	return r
}

// correct gives an owner the login and the name of the receipt. One without a receipt
// has the same assignment before the login as the others.
func (r receipts) correct(o *owner) {
	if o.source != "blackboard" {
		return
	}
	if by, there := r.of[o.head]; there {
		o.key, o.name = by.key, by.name
	} else if login, found := strings.CutPrefix(o.head, r.assignment); found && r.assignment != "" && login != "" {
		o.key = login
	}
}
