"""What a board raises at an action that is not legal."""


class IllegalActionException(Exception):
    def __init__(self, message, action=None):
        super().__init__(message)
        self.action = action
