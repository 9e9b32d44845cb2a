#!/bin/bash
#
# Runs for seconds after an array of the run below: resubmits missing games, or plans and submits the next round,
# followed by a job like this one. Submits nothing if the competition is over, if the round has no retries left,
# or if two submissions in a row finished no game.
#
# Safe to cancel: then nothing is submitted until the next `referee slurm submit`.
#
# Written by `referee slurm submit`, anew for each submission, and submitted by
#   {command}
#
#SBATCH --job-name={name}
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --time={minutes}{requests}
#SBATCH --requeue
#SBATCH --open-mode=append
# Only what finds the agents' interpreters, and nothing else from the submitter's environment.
#SBATCH --export={environment}

# Both must be valid on every node.
program={program}
run={run}

exec "$program" slurm advance "$run"
