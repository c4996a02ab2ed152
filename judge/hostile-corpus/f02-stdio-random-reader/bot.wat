;; A program that does as case.toml says.
(module
  (import "wasi_snapshot_preview1" "fd_read" (func $fd_read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "random_get" (func $random_get (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  ;; Waits for a line, puts it at 1024 with its line feed; its length, 0 at the end of the input.
  (func $read (result i32)
    (i32.store (i32.const 0) (i32.const 1024))
    (i32.store (i32.const 4) (i32.const 4097))
    (drop (call $fd_read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)))
    (i32.load (i32.const 8)))
  (func $say (param $to i32) (param $text i32) (param $length i32)
    (i32.store (i32.const 16) (local.get $text))
    (i32.store (i32.const 20) (local.get $length))
    (drop (call $fd_write (local.get $to) (i32.const 16) (i32.const 1) (i32.const 24))))
  (data (i32.const 514) "\n")
  (data (i32.const 520) "no\n")
  ;; How many tiles are in the hand at 600, two bytes each.
  (global $held (mut i32) (i32.const 0))
  ;; Throws tile number $which of the hand, counted around; declines to win.
  (func $act (param $which i32) (local $at i32)
    (if (i32.eq (i32.load16_u (i32.const 1024)) (i32.const 0x7264))
      (then
        (i32.store16 offset=600 (i32.shl (global.get $held) (i32.const 1))
          (i32.load16_u (i32.const 1029)))
        (global.set $held (i32.add (global.get $held) (i32.const 1)))))
    (if (i32.eq (i32.load16_u (i32.const 1024)) (i32.const 0x6977))
      (then (call $say (i32.const 1) (i32.const 520) (i32.const 3))))
    (if (i32.eq (i32.load16_u (i32.const 1024)) (i32.const 0x6964))
      (then
        (local.set $at
          (i32.shl (i32.rem_u (local.get $which) (global.get $held)) (i32.const 1)))
        (global.set $held (i32.sub (global.get $held) (i32.const 1)))
        (i32.store16 (i32.const 512) (i32.load16_u offset=600 (local.get $at)))
        ;; The last tile takes its place.
        (i32.store16 offset=600 (local.get $at)
          (i32.load16_u offset=600 (i32.shl (global.get $held) (i32.const 1))))
        (call $say (i32.const 1) (i32.const 512) (i32.const 3)))))
  (func (export "_start")
    (loop $next
      (if (call $read)
        (then
          (drop (call $random_get (i32.const 64) (i32.const 4)))
          (call $act (i32.load (i32.const 64)))
          (br $next))))))
