;; A bot that does as case.toml says: it throws the tile that it drew last and never wins.
(module
  (memory (export "memory") 31) (table 20000 funcref)
  (global $grown (mut i32) (i32.const 0))
  (func $starts (param i32) (result i32)
    (i32.eq (i32.load16_u (i32.const 1024)) (local.get 0)))
  (func (export "judge_buffer") (result i32) (i32.const 1024))
  (func (export "judge_line") (param i32) (result i32)
    ;; `draw 3b`
    (if (call $starts (i32.const 0x7264)) (then
      (i32.store16 (i32.const 512) (i32.load16_u (i32.const 1029)))))
    ;; `win? …`
    (if (call $starts (i32.const 0x6977)) (then
      (i32.store16 (i32.const 1024) (i32.const 0x6f6e))
      (return (i32.const 2))))
    ;; `discard?`
    (if (call $starts (i32.const 0x6964)) (then
      (if (i32.eqz (global.get $grown)) (then
        (global.set $grown (i32.const 1))
        (if (i32.ne (memory.grow (i32.const 1)) (i32.const 31)) (then unreachable))
        (i32.store (i32.const 2097148) (i32.const 1))))
      (if (i32.ne (memory.grow (i32.const 1)) (i32.const -1)) (then unreachable))
      (i32.store16 (i32.const 1024) (i32.load16_u (i32.const 512)))
      (return (i32.const 2))))
    (i32.const 0)))
