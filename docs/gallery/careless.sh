#!/bin/sh
# An agent that gives the same answer whatever the board is: it soon loses by an illegal move, and `referee explain` tells why.
echo "E b6 a5" > output.txt
