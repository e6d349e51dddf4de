// A function for each row of functions.h, hidden from other libraries, that jumps to where its slot points: to the function itself, or, at
// the first call, to code that asks bench_function_at where that is. Registers that carry arguments are kept meanwhile.

  .section .note.GNU-stack, "", %progbits

  .set row, 0

#if defined(__x86_64__)

  .macro jump_through slot
  jmp *\slot(%rip)
  .endm
  .macro find_row
  pushq $row
  jmp find
  .endm

  .text
  .type find, %function
// The row lies on the stack, which is aligned to 16 bytes; above it, where the caller goes on.
find:
  .cfi_startproc
  .cfi_def_cfa_offset 16
  pushq %rbp
  .cfi_def_cfa_offset 24
  .cfi_offset %rbp, -24
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  pushq %rax
  pushq %rdi
  pushq %rsi
  pushq %rdx
  pushq %rcx
  pushq %r8
  pushq %r9
  subq $128, %rsp
  movaps %xmm0, (%rsp)
  movaps %xmm1, 16(%rsp)
  movaps %xmm2, 32(%rsp)
  movaps %xmm3, 48(%rsp)
  movaps %xmm4, 64(%rsp)
  movaps %xmm5, 80(%rsp)
  movaps %xmm6, 96(%rsp)
  movaps %xmm7, 112(%rsp)
  movq 8(%rbp), %rdi
  call bench_function_at
  movq %rax, %r11
  movaps (%rsp), %xmm0
  movaps 16(%rsp), %xmm1
  movaps 32(%rsp), %xmm2
  movaps 48(%rsp), %xmm3
  movaps 64(%rsp), %xmm4
  movaps 80(%rsp), %xmm5
  movaps 96(%rsp), %xmm6
  movaps 112(%rsp), %xmm7
  addq $128, %rsp
  popq %r9
  popq %r8
  popq %rcx
  popq %rdx
  popq %rsi
  popq %rdi
  popq %rax
  popq %rbp
  .cfi_def_cfa %rsp, 16
  addq $8, %rsp
  .cfi_def_cfa_offset 8
  jmp *%r11
  .cfi_endproc
  .size find, . - find

#elif defined(__aarch64__)

  .macro jump_through slot
  adrp x16, \slot
  ldr x16, [x16, :lo12:\slot]
  br x16
  .endm
  .macro find_row
  mov x17, #row
  b find
  .endm

  .text
  .type find, %function
find:
  .cfi_startproc
  stp x29, x30, [sp, #-224]!
  .cfi_def_cfa_offset 224
  .cfi_offset x29, -224
  .cfi_offset x30, -216
  mov x29, sp
  stp x0, x1, [sp, #16]
  stp x2, x3, [sp, #32]
  stp x4, x5, [sp, #48]
  stp x6, x7, [sp, #64]
  str x8, [sp, #80]
  stp q0, q1, [sp, #96]
  stp q2, q3, [sp, #128]
  stp q4, q5, [sp, #160]
  stp q6, q7, [sp, #192]
  mov x0, x17
  bl bench_function_at
  mov x16, x0
  ldp x0, x1, [sp, #16]
  ldp x2, x3, [sp, #32]
  ldp x4, x5, [sp, #48]
  ldp x6, x7, [sp, #64]
  ldr x8, [sp, #80]
  ldp q0, q1, [sp, #96]
  ldp q2, q3, [sp, #128]
  ldp q4, q5, [sp, #160]
  ldp q6, q7, [sp, #192]
  ldp x29, x30, [sp], #224
  .cfi_def_cfa_offset 0
  br x16
  .cfi_endproc
  .size find, . - find

#else
#error "calls.S has no code for this processor."
#endif

  .macro pass_on name
  .text
  .hidden \name
  .globl \name
  .type \name, %function
\name:
  jump_through slot_\name
first_\name:
  find_row
  .size \name, . - \name
  .section .data.rel, "aw"
slot_\name:
  .quad first_\name
  .set row, row + 1
  .endm

  .section .data.rel, "aw"
  .balign 8
  .hidden bench_function_slots
  .globl bench_function_slots
bench_function_slots:

#define FUNCTION(library, name) pass_on name
#include "functions.h"
