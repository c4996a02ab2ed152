;; A program that misbehaves as case.toml says.
(module
  (import "wasi_snapshot_preview1" "clock_time_get" (global i64))
  (memory (export "memory") 1)
  (func (export "_start")))
