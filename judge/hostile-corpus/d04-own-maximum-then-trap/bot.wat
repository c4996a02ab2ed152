;; A bot that misbehaves as case.toml says.
(module
  (memory (export "memory") 1 2)
  (func (export "judge_buffer") (result i32) i32.const 1024)
  (func (export "judge_line") (param $length i32) (result i32)
    ;; Silent on notices; on `discard?`:
    (if (i32.ne (i32.load16_u (i32.const 1024)) (i32.const 0x6964)) (then (return (i32.const 0))))
    (drop (memory.grow (i32.const 5)))
    unreachable))
