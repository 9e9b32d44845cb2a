"""Run once before all games: measures how many positions a second homework.py searches on this machine.

The result goes into calibration.txt, which is there in every run of homework.py. Takes well under a second.
Licence: MIT or Apache-2.0, at your option.
"""

import time

import homework

START = ".b.b.b.b b.b.b.b. .b.b.b.b ........ ........ w.w.w.w. .w.w.w.w w.w.w.w."
SECONDS_TO_MEASURE = 0.2


def main():
    board = list(START.replace(" ", ""))
    searched = 0
    evaluate = homework.evaluate

    def counting_evaluate(board, side):
        nonlocal searched
        searched += 1
        return evaluate(board, side)

    homework.evaluate = counting_evaluate
    # CPU time, because that is what the agent's clock will be charged.
    start = time.process_time()
    while time.process_time() - start < SECONDS_TO_MEASURE:
        homework.best_move(board, "b", 4)
    speed = searched / (time.process_time() - start)
    with open("calibration.txt", "w") as file:
        file.write(f"{speed:.0f}\n")


if __name__ == "__main__":
    main()
