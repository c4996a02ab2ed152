;; A bot that misbehaves as case.toml says.
(module
  (memory (export "memory") 1)
  (data (i32.const 8) "mine")
  (func (export "judge_buffer") (result i32) i32.const 8)
  (func (export "judge_line") (param $length i32) (result i32)
    ;; Its own text, as it thinks.
    i32.const 1))
