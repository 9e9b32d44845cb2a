"""Runs a Python program whose TCP connection is one end of a socket pair: `socket_pair.py DESCRIPTOR PROGRAM ARGUMENTS`.

For programs that connect to their referee where there is no network; see `tcp_agent.py`. Licence: MIT or Apache-2.0, at your
option.
"""

import runpy
import socket
import sys

DESCRIPTOR = int(sys.argv[1])


class Connected(socket.socket):
    """A socket that is connected already, wherever it is told to connect to."""

    def __init__(self, *_family, **_options):
        super().__init__(socket.AF_UNIX, socket.SOCK_STREAM, 0, fileno=DESCRIPTOR)

    def connect(self, address):
        pass

    def connect_ex(self, address):
        return 0

    def setsockopt(self, *_option):
        pass


def create_connection(*_address, **_options):
    return Connected()


socket.socket, socket.create_connection = Connected, create_connection
sys.argv = sys.argv[2:]
sys.path[0] = "."
runpy.run_path(sys.argv[0], run_name="__main__")
