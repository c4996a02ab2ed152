;; A bot that misbehaves as case.toml says.
(module
  (memory (export "memory") 1)
  (func (export "judge_buffer") (result i32) i32.const 1024)
  (func (export "judge_line") (param $length i32) (result i32)
    (i32x4.extract_lane 0 (i32x4.relaxed_trunc_f32x4_s (v128.const f32x4 nan nan nan nan)))))
