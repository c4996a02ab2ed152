;; A program that misbehaves as case.toml says.
(module
  (import "wasi_snapshot_preview1" "fd_read" (func $fd_read (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  ;; Waits for a line, puts it at 1024 with its line feed; its length, 0 at the end of the input.
  (func $read (result i32)
    (i32.store (i32.const 0) (i32.const 1024))
    (i32.store (i32.const 4) (i32.const 4097))
    (drop (call $fd_read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)))
    (i32.load (i32.const 8)))
  ;; Says nothing until it is asked to throw a tile.
  (func $until_asked
    (loop $next
      (drop (call $read))
      (br_if $next (i32.ne (i32.load16_u (i32.const 1024)) (i32.const 0x6964)))))
  (func (export "_start")
    (call $until_asked)

    (i32.store (i32.const 0) (i32.const 1024))
    (i32.store (i32.const 4) (i32.const -1))
    (drop (call $fd_read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)))))
