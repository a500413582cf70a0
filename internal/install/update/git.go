package update

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"marginalia/internal/base/lockfile"
)

// git runs git in the repository, and returns what it prints. An error is what git says about it.
func (u *updater) git(args ...string) ([]byte, error) {
	cmd := exec.CommandContext(u.ctx, "git", append([]string{"-C", u.Root, "-c", "merge.autoStash=false"}, args...)...)
	if args[0] == "merge" { // Ctrl-C must not stop it between two files
		cmd = exec.Command("git", cmd.Args[1:]...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	}
	// A hook that calls this program has variables set for its own repository.
	cmd.Env = slices.DeleteFunc(append(os.Environ(), "LC_ALL=C"), func(kv string) bool {
		return strings.HasPrefix(kv, "GIT_DIR=") || strings.HasPrefix(kv, "GIT_WORK_TREE=") || strings.HasPrefix(kv, "GIT_INDEX_FILE=")
	})
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if text := strings.Join(strings.Fields(said.String()), " "); err != nil && text != "" {
		err = errors.New(text[:min(len(text), 300)])
	}
	return out, err
}

// word is git for a command that prints one.
func (u *updater) word(args ...string) (string, error) {
	out, err := u.git(args...)
	return strings.TrimSpace(string(out)), err
}

// pull takes changed lectures into own, and then the new commits from the remote. What git cannot
// do is complained of, and copies are merged with the lectures that are there.
func (u *updater) pull() error {
	if why := u.noClone(); u.ctx.Err() != nil {
		return u.ctx.Err()
	} else if why != "" {
		u.complain("no new lectures: %s", why)
		return nil
	}
	if err := u.alone(); err != nil {
		return fmt.Errorf("update: %w", err)
	}
	if u.Check { // what is changed in the files would be in copies
		u.incoming = "HEAD"
	}
	upstream, why := u.upstream()
	others, err := u.clear(upstream)
	switch {
	case u.ctx.Err() != nil:
		return u.ctx.Err()
	case err != nil:
		return err
	case why != "":
		u.complain("no new lectures: %s", why)
		return nil
	case len(others) > 0:
		u.complain("no new lectures: these files are changed: %s. Commit them, or undo the changes (git restore FILE), and update again", strings.Join(others, ", "))
		return nil
	}
	remote, _ := u.word("config", "branch."+u.branch()+".remote")
	if _, err := u.git("fetch", "--quiet", remote); u.ctx.Err() != nil {
		return u.ctx.Err()
	} else if err != nil {
		u.complain("no new lectures: %s cannot be reached (git fetch: %v)", remote, err)
		return nil
	}
	old, err1 := u.word("rev-parse", "HEAD")
	now, err2 := u.word("rev-parse", upstream)
	if err := errors.Join(err1, err2); err != nil {
		return fmt.Errorf("update: %w", err)
	}
	if _, err := u.git("merge-base", "--is-ancestor", now, old); err == nil {
		u.say("the lectures are those of %s", upstream)
		return nil
	}
	if _, err := u.git("merge-base", "--is-ancestor", old, now); err != nil {
		u.complain("no new lectures: this clone has commits that %s lacks: put them on top of it (git pull --rebase), and update again", upstream)
		return nil
	}
	if u.Check {
		u.incoming = upstream
	} else if _, err := u.git("merge", "--quiet", "--ff-only", "--no-overwrite-ignore", now); err != nil {
		u.complain("no new lectures: git merge: %v", err)
		return nil
	}
	return u.sayNew(old, now)
}

// noClone says why git has nothing to do with the repository, "" if it has.
func (u *updater) noClone() string {
	top, err := u.word("rev-parse", "--show-toplevel")
	root, err2 := filepath.EvalSymlinks(u.Root)
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "there is no git in PATH"
	case err != nil && !strings.Contains(err.Error(), "not a git repository"):
		return fmt.Sprintf("git: %v", err)
	case err != nil || err2 != nil || top != root:
		return fmt.Sprintf("%s is no clone: clone the repository, or unpack a newer one over it, and update again", u.Root)
	}
	return ""
}

// alone waits until no other update of this clone runs, and keeps others waiting until release: two
// that fetch at once get in each other's way.
func (u *updater) alone() error {
	file, err := u.word("rev-parse", "--git-path", "marginalia-update")
	if err != nil {
		return err
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(u.Root, file)
	}
	held, err := lockfile.Take(u.ctx, file, lockfile.Exclusive, func(holder string) {
		u.say("another update is running (%s): this one waits until it has ended", holder)
	})
	switch {
	case err == nil:
		u.release = func() { held.Close() }
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS): // git can't write there either, and says so
		return nil
	}
	return err
}

func (u *updater) branch() string {
	branch, _ := u.word("symbolic-ref", "--quiet", "--short", "HEAD")
	return branch
}

// upstream returns the branch that the clone's follows, or why there is none.
func (u *updater) upstream() (name, why string) {
	name, err := u.word("rev-parse", "--abbrev-ref", "--symbolic-full-name", "@{upstream}")
	switch branch := u.branch(); {
	case err == nil:
		return name, ""
	case branch == "":
		return "", "no branch is checked out (git switch main)"
	default:
		return "", fmt.Sprintf("the branch %s follows none of a remote (git remote add origin ADDRESS; git fetch origin; git branch --set-upstream-to=origin/%[1]s)", branch)
	}
}

// clear takes what is changed in tracked notebooks into own, and gives the notebooks their content
// in git again. It returns the other tracked files that are changed.
func (u *updater) clear(upstream string) (others []string, err error) {
	if what := u.underWay(); what != "" {
		return nil, fmt.Errorf("update: git has not finished something (%s): end it, or undo it, as git status says, and update again", what)
	}
	out, err := u.git("status", "--porcelain=v1", "-z", "--untracked-files=no", "--no-renames")
	if err != nil {
		return nil, fmt.Errorf("update: git status: %w", err)
	}
	for entry := range strings.SplitSeq(strings.TrimRight(string(out), "\x00"), "\x00") {
		if len(entry) < 4 {
			continue
		}
		state, file := entry[:2], entry[3:]
		of, notebook := strings.CutPrefix(file, "notebooks/")
		was, inHead := u.git("cat-file", "--filters", "HEAD:"+file)
		data, there := os.ReadFile(filepath.Join(u.Root, filepath.FromSlash(file)))
		staged, inIndex := u.git("cat-file", "--filters", ":0:"+file)
		only := inIndex == nil && !bytes.Equal(staged, was) && !bytes.Equal(staged, data) // the index alone has it
		switch {
		case state == "AA" || state == "DD" || strings.Contains(state, "U"): // of git stash pop, which leaves no name
			return nil, fmt.Errorf("update: there is a conflict in %s: end it, as git status says, and update again", file)
		case upstream != "" && there == nil && !only && u.has(upstream, file, data): // a pull was killed
		case !notebook || filepath.Ext(of) != ".ipynb" || inHead != nil:
			others = append(others, file)
			continue
		case errors.Is(there, os.ErrNotExist):
			u.say("%s was deleted; it is there again", file)
		case there != nil:
			return nil, fmt.Errorf("update: %w", there)
		case !bytes.Equal(data, was):
			if err := u.take("your changes in "+file, of, was, data); err != nil {
				return nil, err
			}
		}
		if only {
			if err := u.take("your staged changes in "+file, of, was, staged); err != nil {
				return nil, err
			}
		}
		if u.Check {
			continue
		}
		if now, err := os.ReadFile(filepath.Join(u.Root, filepath.FromSlash(file))); err == nil && !bytes.Equal(now, data) {
			return nil, fmt.Errorf("update: %s was changed just now: update again when nothing writes to it", file)
		}
		if _, err := u.git("restore", "--source=HEAD", "--staged", "--worktree", "--", ":(top,literal)"+file); err != nil {
			return nil, fmt.Errorf("update: git restore: %w", err)
		}
	}
	return others, nil
}

// underWay returns git's name for a merge or its like that waits for the user to end it, "" if
// there is none. What is staged then is a part of it.
func (u *updater) underWay() string {
	for _, name := range []string{"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply"} {
		file, err := u.word("rev-parse", "--git-path", name)
		if !filepath.IsAbs(file) {
			file = filepath.Join(u.Root, file)
		}
		if _, none := os.Stat(file); err == nil && none == nil {
			return name
		}
	}
	return ""
}

// take puts a changed version of the lecture of into own. what is what it is called.
func (u *updater) take(what, of string, was, data []byte) error {
	name, err := u.toCopy(of, was, data)
	if err != nil {
		return fmt.Errorf("update: %s cannot be copied: %w", what, err)
	}
	u.say("%s %s %s", what, map[bool]string{false: "are now in", true: "would go to"}[u.Check], shown(name))
	return nil
}

// has reports whether the file has this content in a commit.
func (u *updater) has(commit, file string, data []byte) bool {
	there, err := u.git("cat-file", "--filters", commit+":"+file)
	return err == nil && bytes.Equal(there, data)
}

// sayNew names the notebooks that differ between two commits.
func (u *updater) sayNew(old, now string) error {
	out, err := u.git("diff", "--name-status", "--no-renames", "-z", old, now, "--", ":(top,glob)notebooks/**/*.ipynb")
	if err != nil {
		return fmt.Errorf("update: git diff: %w", err)
	}
	names := map[string][]string{}
	fields := strings.Split(strings.TrimRight(string(out), "\x00"), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		names[fields[i]] = append(names[fields[i]], strings.TrimPrefix(fields[i+1], "notebooks/"))
	}
	word := map[bool]string{false: "are here", true: "would come"}[u.Check]
	u.say("new commits %s, up to %s", word, now[:10])
	for _, kind := range []struct{ letter, word string }{{"A", "new"}, {"M", "changed"}, {"D", "no longer there"}} {
		if list := names[kind.letter]; list != nil {
			u.say("%s: %s", kind.word, strings.Join(list, ", "))
		}
	}
	return nil
}
