; What the CPU finds at reset in Bochs: a ROM instead of a BIOS. It goes to where PVH says that an image starts, which is
; 32-bit protected mode with flat segments, no paging, and EBX = start info.
;
; Bochs gives a block of memory its place in the host's when it is first touched, and yet loads a file as if all places
; were given in order. Touching all blocks in order first makes it so.

%define ROM        0xffff0000
%define ROM_LEN    0x10000
%define MEMORY     (1 << 20)        ; where the file was loaded: as in tests/bochs_machine.py, all three
%define MEMORY_END (128 << 20)
%define HANDOVER   (96 << 20)       ; the entry, then the start info
%define BLOCK      (128 << 10)
%define CR0_PE     1 << 0
%define CODE       8                ; selectors
%define DATA       16

org ROM
bits 16
start:
    cli
    o32 lgdt [cs:gdt_pointer - start]
    mov eax, cr0
    or eax, CR0_PE
    mov cr0, eax
    jmp dword CODE:protected

bits 32
protected:
    mov eax, DATA
    mov ds, eax
    mov es, eax
    mov fs, eax
    mov gs, eax
    mov ss, eax
    mov ecx, MEMORY
.touch:
    mov eax, [ecx]
    add ecx, BLOCK
    cmp ecx, MEMORY_END
    jb .touch
    mov ebx, HANDOVER + 8
    jmp [HANDOVER]

align 8
gdt:
    dq 0
    dq 0x00cf9a000000ffff           ; 32-bit code
    dq 0x00cf92000000ffff           ; data
gdt_pointer:
    dw gdt_pointer - gdt - 1
    dd gdt

    times ROM_LEN - 16 - ($ - $$) db 0
bits 16
    jmp start
    times ROM_LEN - ($ - $$) db 0
