"""An abstract interpreter over the disassembly: which registers and bytes of memory depend on secrets, on all paths."""
