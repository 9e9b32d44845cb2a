# What hostile submissions do beside playing. VERB is put before this text. Each answers with a legal move first, so that the
# game goes on and what the deed has done to its seat is met by the turns that follow; after a few turns it gives up.
import array
import os
import signal
import socket
import sys
import time


def answer():
    with open("input.txt") as file:
        words = file.read().split()
    own, rows = words[0], ["#" * 14] + ["#" + row + "#" for row in words[3:15]] + ["#" * 14]
    enemy = "XO"[own == "X"]

    def flips(row, column):
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                length = 1
                while rows[row + length * down][column + length * right] == enemy:
                    length += 1
                if length > 1 and rows[row + length * down][column + length * right] == own:
                    return True
        return False

    if sum(row.count("X") + row.count("O") for row in rows) >= 14:
        return
    squares = [(row, column) for row in range(1, 13) for column in range(1, 13)]
    legal = [square for square in squares if rows[square[0]][square[1]] == "." and flips(*square)]
    row, column = legal[len(legal) // 2]
    with open("output.txt", "w") as file:
        file.write("%s%d\n" % ("abcdefghijkl"[column - 1], row))


def attributes():
    for number in range(270):
        try:
            os.setxattr("..", "user." + "%03d" % number + "a" * 240, b"x")
        except OSError:
            pass


def unlinked():
    here, there = socket.socketpair()
    held = []
    # Nearly all of the 16 MiB of its directory.
    for number in range(14):
        file = os.open("unlinked-%d" % number, os.O_RDWR | os.O_CREAT)
        os.unlink("unlinked-%d" % number)
        try:
            os.write(file, b"x" * (9 << 17))
        except OSError:
            pass
        held.append(file)
    held += [here.fileno(), there.fileno()]
    here.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", held))])
    with open("playdata.txt", "wb") as sparse:
        sparse.truncate(16 << 20)


def kill():
    os.kill(os.getppid(), signal.SIGKILL)


def stop():
    os.kill(os.getppid(), signal.SIGSTOP)


def fork():
    # Twice the limit and no more, so that no machine suffers where nothing stops it.
    for _ in range(7):
        try:
            os.fork()
        except OSError:
            time.sleep(0.001)
    while True:
        signal.pause()


def memory():
    hog = []
    while True:
        hog.append(bytearray(4 << 20))


def deep():
    for _ in range(1000):
        os.mkdir("d")
        os.chdir("d")


def outputs():
    # Another one in each turn and each game.
    which = time.monotonic_ns() // 1000 % 4
    os.unlink("output.txt")
    if which == 0:
        os.mkfifo("output.txt")
    elif which == 1:
        os.symlink("/etc/passwd", "output.txt")
    elif which == 2:
        os.mkdir("output.txt")
    else:
        with open("output.txt", "wb") as huge:
            huge.truncate(1 << 30)


def flood():
    text = b"flood\n" * 100000
    for _ in range(20):
        os.write(2, text)


try:
    answer()
    globals()[VERB]()
except OSError as error:
    print(error, file=sys.stderr)
