"""How kernels call Python: objects by their addresses, through Python's C interface.

Nothing that is raised is lost, wherever it strikes: a call whose exception comes before the first
line of the function, as Ctrl-C may, answers 0 like any other that fails, and `keep_error` puts the
exception, with its traceback, into a dictionary by threads, from which whoever asked raises it
again: threads that share a system get each their own.

A function gets numbers of its own, a tuple or a read-only array, which it may keep.

With the compiler switched off (``NUMBA_DISABLE_JIT=1``) the same names are plain Python.
"""

import ctypes
from threading import get_ident
from typing import Any, Final

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic

from footwork._numba import B1, F8, I8, IMAT, IOUT1, OUT1, OUT2, VEC, VOID, kernel
from footwork.planning._kernels.pointers import DOUBLES, readonly_view
from footwork.typing import IntVector, Matrix, Vector, frozen

PLAIN: Final = np.array([id(tuple), id(float), id(int)])
"""Types that are read here, without a call of Python code."""

if numba.config.DISABLE_JIT:
    _raised: dict[int, BaseException] = {}

    def _object(address: int) -> Any:
        return ctypes.cast(int(address), ctypes.py_object).value

    def _hold(value: object) -> int:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(value))
        return id(value)

    def doubles(address: int, count: int) -> Vector:
        """See numbers at an address."""
        return frozen(rows(address, 1, count)[0])

    def rows(address: int, count: int, size: int) -> Matrix:
        """See rows of numbers at an address, to write to."""
        room: Any = (ctypes.c_double * (count * size)).from_address(int(address))
        return np.frombuffer(room, np.float64).reshape(count, size)

    def integers(address: int, count: int, size: int) -> IntVector:
        """See rows of whole numbers at an address."""
        room: Any = (ctypes.c_int64 * (count * size)).from_address(int(address))
        return np.frombuffer(room, np.int64).reshape(count, size)

    def take_lock() -> int:
        """Wait for Python's lock."""
        return 0

    def give_lock(state: int) -> None:
        """Give the lock back."""

    def number_object(value: float) -> int:
        """Make a float."""
        return _hold(float(value))

    def tuple_object(numbers: Vector) -> int:
        """Make a tuple of floats; 0 if that fails."""
        return _hold(tuple(numbers.tolist()))

    def array_object(numbers: Vector, reader: int, argument: IntVector) -> int:
        """Make a read-only array; 0 if that fails."""
        return _hold(frozen(numbers.copy()))

    def call(function: int, arguments: IntVector, count: int) -> int:
        """Call a function; 0 if it raises."""
        try:
            return _hold(_object(function)(*map(_object, arguments[:count])))
        except BaseException as error:
            _raised[get_ident()] = error
            return 0

    def drop(handle: int) -> None:
        """Give up what was made or answered; nothing for 0."""
        if handle:
            ctypes.pythonapi.Py_DecRef(ctypes.py_object(_object(handle)))

    def read_tuple(handle: int, plain: int, out: Vector) -> bool:
        """Read a tuple of plain numbers that fit; False, and no call, for anything else."""
        answer = _object(handle)
        if type(answer) is not tuple or len(answer) != len(out):
            return False
        if not all(type(number) is int or isinstance(number, float) for number in answer):
            return False
        try:
            out[:] = [float(number) for number in answer]
        except OverflowError:
            return False
        return True

    def keep_error(errors: int, scratch: IntVector) -> None:
        """Put what this thread raised last into a dictionary; nothing if nothing was."""
        if get_ident() in _raised:
            _object(errors)[get_ident()] = _raised.pop(get_ident())

else:

    def _external(name: str, result: Any, *arguments: Any) -> Any:
        return types.ExternalFunction(name, result(*arguments))

    _int = types.int32
    _ensure = _external("PyGILState_Ensure", _int)
    _release = _external("PyGILState_Release", VOID, _int)
    _float = _external("PyFloat_FromDouble", I8, F8)
    _double = _external("PyFloat_AsDouble", F8, I8)
    _new_tuple = _external("PyTuple_New", I8, I8)
    _set_item = _external("PyTuple_SetItem", _int, I8, I8, I8)
    _item = _external("PyTuple_GetItem", I8, I8, I8)
    _size = _external("PyTuple_Size", I8, I8)
    _bytes = _external("PyBytes_FromStringAndSize", I8, I8, I8)
    _type = _external("PyObject_Type", I8, I8)
    _vectorcall = _external("PyObject_VectorcallDict", I8, I8, I8, I8, I8)
    _decrease = _external("Py_DecRef", VOID, I8)
    _occurred = _external("PyErr_Occurred", I8)
    _clear = _external("PyErr_Clear", VOID)
    _fetch = _external("PyErr_Fetch", VOID, I8, I8, I8)
    _normalize = _external("PyErr_NormalizeException", VOID, I8, I8, I8)
    _set_traceback = _external("PyException_SetTraceback", _int, I8, I8)
    _thread = _external("PyThread_get_thread_ident", I8)
    _whole = _external("PyLong_FromUnsignedLongLong", I8, I8)
    _set_entry = _external("PyDict_SetItem", _int, I8, I8, I8)
    _is_subtype = _external("PyType_IsSubtype", _int, I8, I8)

    @intrinsic  # type: ignore[untyped-decorator]
    def _pointer(typing_context: Any, address: Any) -> Any:
        """Make a pointer of an address."""

        def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return builder.inttoptr(values[0], context.get_value_type(DOUBLES))

        return DOUBLES(types.int64), emit

    @intrinsic  # type: ignore[untyped-decorator]
    def _int_pointer(typing_context: Any, address: Any) -> Any:
        """Make a pointer to whole numbers of an address."""
        kind = types.CPointer(types.int64)

        def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            return builder.inttoptr(values[0], context.get_value_type(kind))

        return kind(types.int64), emit

    @kernel(VEC(I8, I8), forced=True)
    def doubles(address: int, count: int) -> Vector:
        """See numbers at an address."""
        view: Vector = readonly_view(_pointer(address), count)
        return view

    @kernel(OUT2(I8, I8, I8), forced=True)
    def rows(address: int, count: int, size: int) -> Matrix:
        """See rows of numbers at an address, to write to."""
        view: Matrix = numba.carray(_pointer(address), (count, size))
        return view

    @kernel(IMAT(I8, I8, I8), forced=True)
    def integers(address: int, count: int, size: int) -> IntVector:
        """See rows of whole numbers at an address."""
        view: IntVector = numba.carray(_int_pointer(address), (count, size))
        return view

    @kernel(_int(), counted=False, forced=True)
    def take_lock() -> int:
        """Wait for Python's lock."""
        state: int = _ensure()
        return state

    @kernel(VOID(_int), counted=False, forced=True)
    def give_lock(state: int) -> None:
        """Give the lock back."""
        _release(state)

    @kernel(I8(F8), counted=False, forced=True)
    def number_object(value: float) -> int:
        """Make a float; 0 if that fails."""
        handle: int = _float(value)
        return handle

    @kernel(I8(VEC), counted=False, forced=True)
    def tuple_object(numbers: Vector) -> int:
        """Make a tuple of floats; 0 if that fails."""
        handle: int = _new_tuple(numbers.shape[0])
        if handle != 0:
            for i in range(numbers.shape[0]):
                _set_item(handle, i, _float(numbers[i]))
        return handle

    @kernel(I8(VEC, I8, IOUT1), counted=False, forced=True)
    def array_object(numbers: Vector, reader: int, argument: IntVector) -> int:
        """Make a read-only array; 0 if that fails."""
        copy = _bytes(numbers.ctypes.data, 8 * numbers.shape[0])
        if copy == 0:
            return 0
        argument[0] = copy
        handle = call(reader, argument, 1)
        _decrease(copy)
        return handle

    @kernel(I8(I8, IOUT1, I8), counted=False, forced=True)
    def call(function: int, arguments: IntVector, count: int) -> int:
        """Call a function; 0 if it raises."""
        handle: int = _vectorcall(function, arguments.ctypes.data, count, 0)
        return handle

    @kernel(VOID(I8), counted=False, forced=True)
    def drop(handle: int) -> None:
        """Give up what was made or answered; nothing for 0."""
        _decrease(handle)

    @kernel(B1(I8, I8, OUT1), counted=False, forced=True)
    def read_tuple(handle: int, plain: int, out: Vector) -> bool:
        """Read a tuple of plain numbers that fit; False, and no call, for anything else."""
        of_tuple, of_float, of_int = integers(plain, 1, 3)[0]
        kind = _type(handle)
        _decrease(kind)
        if kind != of_tuple or _size(handle) != out.shape[0]:
            return False
        for i in range(out.shape[0]):
            item = _item(handle, i)
            kind = _type(item)
            _decrease(kind)
            if kind not in (of_float, of_int) and _is_subtype(kind, of_float) == 0:
                return False
            out[i] = _double(item)
            if out[i] == -1.0 and _occurred() != 0:  # a whole number that is too large
                _clear()
                return False
        return True

    @kernel(VOID(I8, IOUT1), counted=False)
    def keep_error(errors: int, scratch: IntVector) -> None:
        """Put what this thread raised last into a dictionary; nothing if nothing was."""
        at = int(scratch.ctypes.data)
        _fetch(at, at + 8, at + 16)
        if scratch[0] == 0:
            return
        _normalize(at, at + 8, at + 16)
        if scratch[2] != 0:
            _set_traceback(scratch[1], scratch[2])
        thread = _whole(_thread())
        _set_entry(errors, thread, scratch[1])
        _decrease(thread)
        for i in range(3):
            _decrease(scratch[i])
