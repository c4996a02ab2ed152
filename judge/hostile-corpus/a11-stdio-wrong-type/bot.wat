;; A program that misbehaves as case.toml says.
(module
  (import "wasi_snapshot_preview1" "fd_write" (func (param i64 i64 i64) (result i64)))
  (memory (export "memory") 1)
  (func (export "_start")))
