;; judge: game=mahjong
;; A bot for Mahjong in WebAssembly text.
(module
  ;; The judge writes a line to address 0 and calls `judge_line`; the answer goes to the same place.
  ;; 8192: how many tiles of each kind are in your hand, at 16 * suit + rank. 12288: the words `yes`
  ;; and `no`.
  (memory (export "memory") 1 32)
  (data (i32.const 12288) "yesno")

  ;; YOUR STRATEGY: how much the tile at this place is worth to you. The one of the least worth is
  ;; thrown.
  (func $value (param $tile i32) (result i32)
    ;; 3 for each further one of its kind, 2 for a neighbour.
    (i32.add
      (i32.mul (i32.const 3) (i32.sub (call $count (local.get $tile)) (i32.const 1)))
      (i32.mul (i32.const 2)
        (i32.add
          (i32.ne (call $count (i32.sub (local.get $tile) (i32.const 1))) (i32.const 0))
          (i32.ne (call $count (i32.add (local.get $tile) (i32.const 1))) (i32.const 0))))))

  (func $count (param $tile i32) (result i32)
    (i32.load8_u offset=8192 (local.get $tile)))

  (func $add (param $tile i32) (param $number i32)
    (i32.store8 offset=8192 (local.get $tile)
      (i32.add (call $count (local.get $tile)) (local.get $number))))

  (func (export "judge_buffer") (result i32) (i32.const 0))

  (func (export "judge_line") (param $length i32) (result i32)
    (local $first i32)
    (local.set $first (i32.load8_u (i32.const 0)))
    ;; `draw 3b`
    (if (i32.and (i32.eq (local.get $first) (i32.const 100)) (i32.eq (local.get $length) (i32.const 7)))
      (then
        (call $add
          (i32.add
            (i32.mul (i32.const 16) (i32.sub (i32.load8_u (i32.const 6)) (i32.const 98)))
            (i32.sub (i32.load8_u (i32.const 5)) (i32.const 48)))
          (i32.const 1))
        (return (i32.const 0))))
    ;; `discard?`
    (if (i32.eq (local.get $first) (i32.const 100)) (then (return (call $discard))))
    ;; `win? 7d self`: yes
    (if (i32.eq (local.get $first) (i32.const 119))
      (then
        (memory.copy (i32.const 0) (i32.const 12288) (i32.const 3))
        (return (i32.const 3))))
    (i32.const 0))

  ;; Throws the tile of the least value.
  (func $discard (result i32)
    (local $tile i32) (local $worst i32) (local $least i32)
    (local.set $least (i32.const 1000))
    (loop $next
      (if (call $count (local.get $tile))
        (then
          (if (i32.lt_s (call $value (local.get $tile)) (local.get $least))
            (then
              (local.set $least (call $value (local.get $tile)))
              (local.set $worst (local.get $tile))))))
      (local.set $tile (i32.add (local.get $tile) (i32.const 1)))
      (br_if $next (i32.lt_s (local.get $tile) (i32.const 48))))
    (call $add (local.get $worst) (i32.const -1))
    (i32.store8 (i32.const 0) (i32.add (i32.const 48) (i32.and (local.get $worst) (i32.const 15))))
    (i32.store8 (i32.const 1) (i32.add (i32.const 98) (i32.shr_u (local.get $worst) (i32.const 4))))
    (i32.const 2)))
