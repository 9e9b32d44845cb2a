#!/bin/sh
# Vocareum runs this for each submission, in its folder.
exec /voc/scripts/referee grade --as vocareum /voc/scripts/ASSIGNMENT
