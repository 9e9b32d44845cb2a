"""Runs an agent that stays alive for a whole game, over standard input and output.

    from referee_agent import run

    class Agent:
        def answer(self, question):    # the text of an input.txt
            return "c2"                # the text of an output.txt

    run(Agent)

One Agent is made for the game, before the first question. Import this file first: what is printed from then on goes to
standard error, where it does no harm. Copy it into your submission. Licence: MIT or Apache-2.0, at your option.
"""

import os
import sys

# Whatever is printed, even by a library, must not be taken for an answer.
ANSWERS = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
os.dup2(2, 1)
sys.stdout = sys.stderr


def questions(lines):
    """Each question: the lines up to an empty one. The end of the input ends the game."""
    question = []
    for line in lines:
        if line.strip("\r\n"):
            question.append(line)
        elif question:
            yield "".join(question)
            question = []


def run(make_agent):
    """Makes an agent, and lets it answer every question of the game."""
    agent = make_agent()
    for question in questions(sys.stdin):
        answer = agent.answer(question).strip("\n")
        if not all(line.strip() for line in answer.split("\n")):
            sys.exit("an answer must have no empty line: %r" % answer)
        ANSWERS.write(answer + "\n\n")
        ANSWERS.flush()
