;; A bot that misbehaves as case.toml says.
(module
  (memory (export "memory") 1)
  (global $drawn (mut i32) (i32.const 0))
  (func (export "judge_buffer") (result i32) i32.const 1024)
  (func (export "judge_line") (param $length i32) (result i32)
    ;; Keeps all tiles drawn at 512, two bytes each; answers a question with them.
    (if (i32.eq (i32.load16_u (i32.const 1024)) (i32.const 0x7264))
      (then
        (i32.store16 offset=512 (global.get $drawn) (i32.load16_u (i32.const 1029)))
        (global.set $drawn (i32.add (global.get $drawn) (i32.const 2)))))
    (if (i32.ne (i32.load16_u (i32.const 1024)) (i32.const 0x6964)) (then (return (i32.const 0))))
    (memory.copy (i32.const 1024) (i32.const 512) (global.get $drawn))
    (global.get $drawn)))
