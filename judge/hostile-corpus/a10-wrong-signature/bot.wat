;; A bot that misbehaves as case.toml says.
(module
  (memory (export "memory") 1)
  (func (export "judge_buffer") (result i64) i64.const 1024)
  (func (export "judge_line") (param i32 i32) (result i32) i32.const 0))
