;; A bot that does as case.toml says.
(module
  (memory (export "memory") 1)
  (func (export "judge_buffer") (result i32) i32.const 1024)
  (func (export "judge_line") (param $length i32) (result i32)
    ;; Keeps the tile drawn, declines to win, and on `discard?` throws the tile again.
    (if (i32.eq (i32.load16_u (i32.const 1024)) (i32.const 0x7264))
      (then (i32.store16 (i32.const 512) (i32.load16_u (i32.const 1029)))))
    (if (i32.eq (i32.load16_u (i32.const 1024)) (i32.const 0x6977))
      (then (i32.store16 (i32.const 1024) (i32.const 0x6f6e)) (return (i32.const 2))))
    (if (i32.ne (i32.load16_u (i32.const 1024)) (i32.const 0x6964)) (then (return (i32.const 0))))
    (if (i64.ne
        (i64.reinterpret_f64 (f64.add (f64.reinterpret_i64 (i64.const 0x7ff800000000beef)) (f64.const 1)))
        (i64.const 0x7ff8000000000000))
      (then unreachable))
    (if (i32.ne
        (i32.reinterpret_f32 (f32.div (f32.const 0) (f32.neg (f32.const 0))))
        (i32.const 0x7fc00000))
      (then unreachable))
    (i32.store16 (i32.const 1024) (i32.load16_u (i32.const 512)))
    i32.const 2))
