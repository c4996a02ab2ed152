;; A bot that does as case.toml says.
(module
  (memory (export "memory") 1)
  (global $asked (mut i32) (i32.const 0))
  (func (export "judge_buffer") (result i32) 
    (if (global.get $asked) (then unreachable))
    (global.set $asked (i32.const 1))
    i32.const 1024)
  (func (export "judge_line") (param $length i32) (result i32)
    ;; Keeps the tile drawn, declines to win, and on `discard?` throws the tile again.
    (if (i32.eq (i32.load16_u (i32.const 1024)) (i32.const 0x7264))
      (then (i32.store16 (i32.const 512) (i32.load16_u (i32.const 1029)))))
    (if (i32.eq (i32.load16_u (i32.const 1024)) (i32.const 0x6977))
      (then (i32.store16 (i32.const 1024) (i32.const 0x6f6e)) (return (i32.const 2))))
    (if (i32.ne (i32.load16_u (i32.const 1024)) (i32.const 0x6964)) (then (return (i32.const 0))))
    (i32.store16 (i32.const 1024) (i32.load16_u (i32.const 512)))
    i32.const 2))
