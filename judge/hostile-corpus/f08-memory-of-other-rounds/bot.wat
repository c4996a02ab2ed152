;; A bot that does as case.toml says.
(module
  (global $rounds (mut i32) (i32.const 0))
  (global $lines (mut i32) (i32.const 0))
  (memory (export "memory") 1)
  (func (export "judge_buffer") (result i32) i32.const 1024)
  (func (export "judge_line") (param $length i32) (result i32)
    ;; The first line of a round begins with `game`.
    (if (i32.eq (i32.load16_u (i32.const 1024)) (i32.const 0x6167))
      (then
        (global.set $rounds (i32.add (global.get $rounds) (i32.const 1)))
        (i32.store (i32.const 8) (i32.add (i32.load (i32.const 8)) (i32.const 1)))))
    (if (i32.ne (global.get $rounds) (i32.const 1)) (then unreachable))
    (if (i32.ne (i32.load (i32.const 8)) (i32.const 1)) (then unreachable))
    ;; Keeps the tile drawn, declines to win, and on `discard?` throws the tile again.
    (if (i32.eq (i32.load16_u (i32.const 1024)) (i32.const 0x7264))
      (then (i32.store16 (i32.const 512) (i32.load16_u (i32.const 1029)))))
    (if (i32.eq (i32.load16_u (i32.const 1024)) (i32.const 0x6977))
      (then (i32.store16 (i32.const 1024) (i32.const 0x6f6e)) (return (i32.const 2))))
    (if (i32.ne (i32.load16_u (i32.const 1024)) (i32.const 0x6964)) (then (return (i32.const 0))))
    (i32.store16 (i32.const 1024) (i32.load16_u (i32.const 512)))
    i32.const 2))
