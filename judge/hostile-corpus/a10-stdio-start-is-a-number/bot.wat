;; A program that misbehaves as case.toml says.
(module
  (memory (export "memory") 1)
  (global (export "_start") i32 (i32.const 0)))
