package test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"marginalia/internal/testkit/must"
)

// Each task of the Slurm array asks for its own part of as many as there are tasks, in the
// course that it is given, whatever its path.
func TestSlurmScript(t *testing.T) {
	bin := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(bin, "marginalia"), []byte("#!/bin/sh\nprintf '%s|' \"$@\"\n"), 0o755))
	cmd := exec.Command("bash", "../slurm/grade.sh", "ps1", "/shared/my course")
	cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "SLURM_ARRAY_TASK_ID=3", "SLURM_ARRAY_TASK_COUNT=8", "SLURM_CPUS_PER_TASK=4")
	out, err := cmd.CombinedOutput()
	if want := "course|grade|ps1|--course|/shared/my course|--jobs|4|--shard|3/8|"; err != nil || string(out) != want {
		t.Errorf("%s, %v; want %s", out, err, want)
	}
	if text := readFile(t, "slurm/grade.sh"); !strings.Contains(text, "\n#SBATCH --array=0-7\n") || !strings.Contains(text, "\n#SBATCH --requeue\n") {
		t.Error("want an array from 0, so that each part is judged, and a task again whose node dies")
	}
}

// The Job has a pod for each of the parts that its script names, and the pods are closed as the
// image's containers are.
func TestKubernetesJob(t *testing.T) {
	type security struct {
		RunAsNonRoot             bool  `yaml:"runAsNonRoot"`
		ReadOnlyRootFilesystem   bool  `yaml:"readOnlyRootFilesystem"`
		AllowPrivilegeEscalation *bool `yaml:"allowPrivilegeEscalation"`
		Capabilities             struct{ Drop []string }
	}
	var job struct {
		Kind string
		Spec struct {
			CompletionMode           string `yaml:"completionMode"`
			Completions, Parallelism int
			Template                 struct {
				Spec struct {
					RestartPolicy   string   `yaml:"restartPolicy"`
					Token           *bool    `yaml:"automountServiceAccountToken"`
					SecurityContext security `yaml:"securityContext"`
					Containers      []struct {
						Args            []string
						SecurityContext security `yaml:"securityContext"`
					}
				}
			}
		}
	}
	must.Do(t, yaml.Unmarshal([]byte(readFile(t, "kubernetes/grade.yaml")), &job))
	s, pod := job.Spec, job.Spec.Template.Spec
	// A podFailurePolicy is valid with the restart policy Never alone (Kubernetes' reference, Job, podFailurePolicy).
	if job.Kind != "Job" || s.CompletionMode != "Indexed" || s.Completions != 8 || s.Parallelism != 8 || pod.RestartPolicy != "Never" || len(pod.Containers) != 1 {
		t.Fatalf("%+v", job)
	}
	c := pod.Containers[0]
	if script := c.Args[len(c.Args)-1]; !strings.Contains(script, `--course /course --shard "$JOB_COMPLETION_INDEX/8"`) {
		t.Errorf("the pods run %q, want a part of 8", script)
	}
	own := c.SecurityContext
	if !pod.SecurityContext.RunAsNonRoot || pod.Token == nil || *pod.Token || !own.ReadOnlyRootFilesystem ||
		own.AllowPrivilegeEscalation == nil || *own.AllowPrivilegeEscalation || len(own.Capabilities.Drop) != 1 || own.Capabilities.Drop[0] != "ALL" {
		t.Errorf("a pod is not closed: %+v", pod)
	}
}
