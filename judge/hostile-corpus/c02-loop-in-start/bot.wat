;; A bot that misbehaves as case.toml says.
(module
  (func $start (loop $again (br $again)))
  (start $start)
  (memory (export "memory") 1)
  (func (export "judge_buffer") (result i32) i32.const 1024)
  (func (export "judge_line") (param $length i32) (result i32)
    i32.const 0))
