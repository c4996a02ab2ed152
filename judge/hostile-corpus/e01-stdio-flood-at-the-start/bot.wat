;; A program that misbehaves as case.toml says.
(module
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func $say (param $to i32) (param $text i32) (param $length i32)
    (i32.store (i32.const 16) (local.get $text))
    (i32.store (i32.const 20) (local.get $length))
    (drop (call $fd_write (local.get $to) (i32.const 16) (i32.const 1) (i32.const 24))))
  (data (i32.const 512) "1b\n")
  (func (export "_start")
    (loop $again (call $say (i32.const 1) (i32.const 512) (i32.const 3)) (br $again))))
