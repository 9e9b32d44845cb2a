#!/bin/sh
# Gradescope runs this for each submission.
exec /autograder/source/referee grade --as gradescope /autograder/source/ASSIGNMENT
