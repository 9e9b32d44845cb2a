#!/bin/bash
#
# Plays games of the run below: an array of `referee shard` tasks. Each plays its share of the missing games, then
# games that no other task has claimed, and exits.
#
# Safe to cancel, hold, requeue, preempt, kill or resubmit at any time, and nodes may fail: a finished game is a file
# in games/ and is never played again; a running game is played again by another task.
#
# Costs: the CPUs below, no network, one small file per game in the run directory, and temporary files on the node.
#
# Written by `referee slurm submit`, anew for each submission, and submitted by
#   {command}
#
#SBATCH --job-name={name}
#SBATCH --array=0-{last}{throttle}
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={cpus}{requests}
# A task that is preempted or whose node fails is requeued and appends to the same log.
#SBATCH --requeue
#SBATCH --open-mode=append
# Before the time limit a task gets a signal (B: only this shell, which the program has replaced by then): it
# finishes the running game, if that takes at most {grace_s} seconds, and starts no other.
#SBATCH --signal=B:USR1@{before_s}
# Only what finds the agents' interpreters, and nothing else from the submitter's environment.
#SBATCH --export={environment}

# Both must be valid on every node.
program={program}
run={run}

# exec: the program takes this shell's place, so that Slurm's signals (USR1 as above, TERM when a task is cancelled)
# reach it and not a shell that waits for it.
exec "$program" shard "$run" --index "$SLURM_ARRAY_TASK_ID" --of {shards} --jobs {cpus} --grace {grace_s}
