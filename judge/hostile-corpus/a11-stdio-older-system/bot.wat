;; A program that misbehaves as case.toml says.
(module
  (import "wasi_unstable" "fd_write" (func (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "_start")))
