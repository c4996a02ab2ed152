;; A bot that misbehaves as case.toml says.
(module
  (memory (export "memory") 1)
  (global $i (mut i32) (i32.const 0))
  (func (export "judge_buffer") (result i32) i32.const 1024)
  (func (export "judge_line") (param $length i32) (result i32)
    ;; Silent on notices; on `discard?`:
    (if (i32.ne (i32.load16_u (i32.const 1024)) (i32.const 0x6964)) (then (return (i32.const 0))))
    (loop $spin
      (global.set $i (i32.add (global.get $i) (i32.const 1)))
      (br_if $spin (i32.lt_u (global.get $i) (i32.const 6200000))))
    (memory.fill (i32.const 0) (i32.const 0) (i32.mul (local.get $length) (i32.const 10000000)))
    i32.const 0))
