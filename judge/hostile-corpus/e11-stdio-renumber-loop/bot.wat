;; A program that does as case.toml says.
(module
  (import "wasi_snapshot_preview1" "fd_read" (func $fd_read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_renumber" (func $fd_renumber (param i32 i32) (result i32)))
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
  ;; Aborts unless the system answers so.
  (func $must (param $got i32) (param $wanted i32)
    (if (i32.ne (local.get $got) (local.get $wanted)) (then unreachable)))
  (data (i32.const 514) "\n")
  (data (i32.const 520) "no\n")
  ;; Keeps the tile drawn, declines to win, and on `discard?` throws the tile again.
  (func $play
    (if (i32.eq (i32.load16_u (i32.const 1024)) (i32.const 0x7264))
      (then (i32.store16 (i32.const 512) (i32.load16_u (i32.const 1029)))))
    (if (i32.eq (i32.load16_u (i32.const 1024)) (i32.const 0x6977))
      (then (call $say (i32.const 1) (i32.const 520) (i32.const 3))))
    (if (i32.eq (i32.load16_u (i32.const 1024)) (i32.const 0x6964))
      (then (call $say (i32.const 1) (i32.const 512) (i32.const 3)))))
  (func $play_all
    (loop $next
      (if (call $read) (then (call $play) (br $next)))))
  (func (export "_start") (local $count i32)
    (loop $again
      ;; 58: not supported.
      (call $must (call $fd_renumber (i32.const 1) (i32.and (local.get $count) (i32.const 3))) (i32.const 58))
      (br_if $again
        (i32.lt_u (local.tee $count (i32.add (local.get $count) (i32.const 1))) (i32.const 1000))))
    (call $play_all)))
