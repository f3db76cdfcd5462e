# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""What setka raises.

    try:
        job = setka.run("pump.inp")
    except setka.InputError as error:
        print(error.file, error.line, error.message, error.remedy)

Every exception is a `setka.Error`.
That a solver did not converge is none: results say so in `converged`.
"""
from __future__ import annotations


class Error(Exception):
    """What happened, where in the user's input, and what to do about it.

    `str(error)` is all of it on one line.
    """

    fault: str = "internal"
    """"input", "usage", "resource", "interrupted" or "internal"."""

    def __init__(self, text: str, message: str = "", remedy: str = "", file: str = "", line: int = 0):
        super().__init__(text)
        self.message = message or text
        self.remedy = remedy
        self.file = file
        self.line = line

    def __reduce__(self):  # so that it crosses between processes
        return type(self), (str(self), self.message, self.remedy, self.file, self.line)


class InputError(Error, ValueError):
    """A file or value that the user gave is wrong."""

    fault = "input"


class UsageError(Error, ValueError):
    """A function was called wrongly."""

    fault = "usage"


class ArrayError(UsageError, TypeError):
    """An array is of the wrong type, shape, order in memory or device."""


class ResourceError(Error, RuntimeError):
    """Memory, a device or a file system failed."""

    fault = "resource"


class InterruptedError(Error, KeyboardInterrupt):  # noqa: A001: it is named setka.errors.InterruptedError
    """The user stopped the run by a signal that Python did not see."""

    fault = "interrupted"


class InternalError(Error, RuntimeError):
    """A defect of Setka itself."""


_BY_FAULT = {"input": InputError, "usage": UsageError, "array": ArrayError, "resource": ResourceError,
             "interrupted": InterruptedError, "internal": InternalError}


def _error_of(fault: str, text: str, message: str, remedy: str, file: str, line: int) -> Error:
    """Called by the extension."""
    return _BY_FAULT[fault](text, message, remedy, file, line)
