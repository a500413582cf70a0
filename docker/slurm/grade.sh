#!/bin/bash
# Grades an assignment on a Slurm cluster. Each task of the array judges one part of the
# submissions and leaves results in the course's folder; a second job merges them:
#
#   job=$(sbatch --parsable docker/slurm/grade.sh ps1 /shared/course)
#   sbatch --dependency=afterok:$job --kill-on-invalid-dep=yes --wrap 'marginalia course merge --course /shared/course /shared/course/results'
#
# The nodes need the course, the marginalia command (go build, in the repository), the
# repository and Go at the same paths, and a home that they share: course release left the
# judge in its cache, so no task has to build it.
#
# A task whose node dies waits its turn once more, and goes on where it was. After any other
# failure repeat both lines: what was judged is not judged again.
#SBATCH --job-name=grade
#SBATCH --array=0-7
#SBATCH --cpus-per-task=4
#SBATCH --mem=4G
#SBATCH --time=02:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
set -eu
exec marginalia course grade "$1" --course "$2" --jobs "$SLURM_CPUS_PER_TASK" \
	--shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT"
