"""A sample client for Connect Four by the lines of `tcp_agent.py`: it plays the column nearest to the middle that has room.

Licence: MIT or Apache-2.0, at your option.
"""

import socket
import sys

COLUMNS = "dcebfag"


def main():
    port = int(sys.argv[sys.argv.index("-p") + 1])
    connection = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.connect(("localhost", port))
    heights = dict.fromkeys(COLUMNS, 0)
    for line in connection.makefile(encoding="utf-8"):
        print("told:", line.strip())
        if line.startswith("last_move("):
            heights[line[10]] += 1
        if line.strip() == "your_move":
            column = next(column for column in COLUMNS if heights[column] < 6)
            heights[column] += 1
            connection.sendall(("%s%d\n" % (column, heights[column])).encode())


main()
