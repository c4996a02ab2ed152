;; A bot that misbehaves as case.toml says.
(module
  (memory (export "memory") 1)
  (table $t 10 20 funcref)
  (func (export "judge_buffer") (result i32) i32.const 1024)
  (func (export "judge_line") (param $length i32) (result i32)
    ;; Silent on notices; on `discard?`:
    (if (i32.ne (i32.load16_u (i32.const 1024)) (i32.const 0x6964)) (then (return (i32.const 0))))
    (if (i32.ne (table.grow $t (ref.null func) (i32.const 11)) (i32.const -1)) (then (return (i32.const 1))))
    unreachable))
