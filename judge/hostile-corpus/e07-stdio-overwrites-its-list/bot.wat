;; A program that misbehaves as case.toml says.
(module
  (import "wasi_snapshot_preview1" "fd_read" (func $fd_read (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "_start")
    ;; The first piece is the list itself, so the second one then is text.
    (i32.store (i32.const 8192) (i32.const 8192))
    (i32.store (i32.const 8196) (i32.const 16))
    (i32.store (i32.const 8200) (i32.const 1024))
    (i32.store (i32.const 8204) (i32.const 16))
    (drop (call $fd_read (i32.const 0) (i32.const 8192) (i32.const 2) (i32.const 8)))
    unreachable))
