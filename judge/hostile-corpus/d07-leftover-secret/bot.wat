;; A bot that does as case.toml says.
(module
  (global $seen (mut i32) (i32.const 0))
  (memory (export "memory") 1)
  (func (export "judge_buffer") (result i32) i32.const 1024)
  (func (export "judge_line") (param $length i32) (result i32)
    (local $at i32)
    (if (i32.eqz (global.get $seen))
      (then
        (global.set $seen (i32.const 1))
        (if (i32.eq (memory.grow (i32.const 30)) (i32.const -1)) (then unreachable))
        ;; All but the page with the line must be zero; then it is left full of a secret.
        (local.set $at (i32.const 65536))
        (loop $next
          (if (i64.ne (i64.load (local.get $at)) (i64.const 0)) (then unreachable))
          (i64.store (local.get $at) (i64.const 0x7465726365736121))
          (local.set $at (i32.add (local.get $at) (i32.const 8)))
          (br_if $next (i32.lt_u (local.get $at) (i32.const 2031616))))))
    ;; Keeps the tile drawn, declines to win, and on `discard?` throws the tile again.
    (if (i32.eq (i32.load16_u (i32.const 1024)) (i32.const 0x7264))
      (then (i32.store16 (i32.const 512) (i32.load16_u (i32.const 1029)))))
    (if (i32.eq (i32.load16_u (i32.const 1024)) (i32.const 0x6977))
      (then (i32.store16 (i32.const 1024) (i32.const 0x6f6e)) (return (i32.const 2))))
    (if (i32.ne (i32.load16_u (i32.const 1024)) (i32.const 0x6964)) (then (return (i32.const 0))))
    (i32.store16 (i32.const 1024) (i32.load16_u (i32.const 512)))
    i32.const 2))
