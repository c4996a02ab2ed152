;; A bot that does as case.toml says: it throws the tile that it drew last and never wins.
(module
  (table 1 funcref) (table 1 funcref)
  (memory (export "memory") 2)
  (global $i (mut i32) (i32.const 0))
  (func $starts (param i32) (result i32)
    (i32.eq (i32.load16_u (i32.const 1024)) (local.get 0)))
  ;; Takes a page more until it is refused, and writes to each.
  (func $grow
    (loop $more
      (global.set $i (memory.grow (i32.const 1)))
      (if (i32.ne (global.get $i) (i32.const -1)) (then
        (i32.store (i32.mul (global.get $i) (i32.const 65536)) (i32.const 1))
        (br $more)))))
  ;; Counts down from there.
  (func $spin (param i32)
    (loop $more
      (local.set 0 (i32.sub (local.get 0) (i32.const 1)))
      (br_if $more (local.get 0))))
  (func (export "judge_buffer") (result i32) (i32.const 1024))
  (func (export "judge_line") (param i32) (result i32)
    ;; `draw 3b`
    (if (call $starts (i32.const 0x7264)) (then
      (i32.store16 (i32.const 512) (i32.load16_u (i32.const 1029)))
      (nop)))
    ;; `win? …`
    (if (call $starts (i32.const 0x6977)) (then
      (i32.store16 (i32.const 1024) (i32.const 0x6f6e))
      (return (i32.const 2))))
    ;; `discard?`
    (if (call $starts (i32.const 0x6964)) (then
      (nop)
      (i32.store16 (i32.const 1024) (i32.load16_u (i32.const 512)))
      (return (i32.const 2))))
    ;; `game …`
    (if (call $starts (i32.const 0x6167)) (then (nop)))
    ;; `end …`
    (if (call $starts (i32.const 0x6e65)) (then (drop (table.grow 0 (ref.null func) (i32.const 19999)))(drop (table.grow 1 (ref.null func) (i32.const 19999)))(call $grow)))
    (i32.const 0)))
