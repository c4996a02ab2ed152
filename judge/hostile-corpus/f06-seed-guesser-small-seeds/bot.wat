;; A bot that misbehaves as case.toml says.
(module
  (memory (export "memory") 1)
  (data (i32.const 768) "bcd")
  (global $drawn (mut i32) (i32.const 0))
  ;; The state of the generator.
  (global $state (mut i64) (i64.const 0))
  (func (export "judge_buffer") (result i32) i32.const 1024)

  ;; The generator of seed $seed for the game's own luck, as the documentation says.
  (func $begin (param $seed i64) (local $z i64)
    (local.set $z (i64.add (local.get $seed) (i64.const 0x9e3779b97f4a7c15)))
    (local.set $z
      (i64.mul (i64.xor (local.get $z) (i64.shr_u (local.get $z) (i64.const 30)))
        (i64.const 0xbf58476d1ce4e5b9)))
    (local.set $z
      (i64.mul (i64.xor (local.get $z) (i64.shr_u (local.get $z) (i64.const 27)))
        (i64.const 0x94d049bb133111eb)))
    (local.set $z (i64.xor (local.get $z) (i64.shr_u (local.get $z) (i64.const 31))))
    (global.set $state (call $step (i64.add (local.get $z) (i64.const 1)))))
  (func $step (param $state i64) (result i64)
    (i64.add (i64.mul (local.get $state) (i64.const 6364136223846793005)) (i64.const 1)))
  (func $next (result i32) (local $old i64)
    (local.set $old (global.get $state))
    (global.set $state (call $step (local.get $old)))
    (i32.rotr
      (i32.wrap_i64
        (i64.shr_u
          (i64.xor (i64.shr_u (local.get $old) (i64.const 18)) (local.get $old))
          (i64.const 27)))
      (i32.wrap_i64 (i64.shr_u (local.get $old) (i64.const 59)))))

  ;; The wall at 2048 in its first order.
  (func $fresh (local $at i32)
    (local.set $at (i32.const 108))
    (loop $fill
      (local.set $at (i32.sub (local.get $at) (i32.const 1)))
      (i32.store8 offset=2048 (local.get $at) (i32.shr_u (local.get $at) (i32.const 2)))
      (br_if $fill (local.get $at))))

  ;; Whether this seed gives the thirteen tiles at 512, which are every other of the wall's last.
  ;; Breaks off at the first that differs, and puts the wall in order again.
  (func $fits (param $seed i64) (result i32)
    (local $last i32) (local $other i32) (local $kept i32) (local $kind i32) (local $fits i32)
    (call $begin (local.get $seed))
    (local.set $last (i32.const 107))
    (local.set $fits (i32.const 1))
    (loop $more
      (local.set $other
        (i32.rem_u (call $next) (i32.add (local.get $last) (i32.const 1))))
      (local.set $kept (i32.load8_u offset=2048 (local.get $last)))
      (local.set $kind (i32.load8_u offset=2048 (local.get $other)))
      (i32.store8 offset=2048 (local.get $last) (local.get $kind))
      (i32.store8 offset=2048 (local.get $other) (local.get $kept))
      (if (i32.and (local.get $last) (i32.const 1))
        (then
          (local.set $fits
            (i32.eq (local.get $kind)
              (i32.load8_u offset=512
                (i32.shr_u (i32.sub (i32.const 107) (local.get $last)) (i32.const 1)))))))
      (local.set $last (i32.sub (local.get $last) (i32.const 1)))
      (br_if $more
        (i32.and (local.get $fits) (i32.gt_u (local.get $last) (i32.const 82)))))
    (call $fresh)
    (local.get $fits))

  (func $found_the_seed unreachable)

  ;; With thirteen tiles in hand, tries seeds from 0 on.
  (func $guess (local $seed i64)
    (call $fresh)
    (loop $more
      (if (call $fits (local.get $seed)) (then (call $found_the_seed)))
      (br_if $more
        (i64.lt_u
          (local.tee $seed (i64.add (local.get $seed) (i64.const 1)))
          (i64.const 5000)))))

  ;; Suits by their letters, ranks by their digits.
  (func $kind_drawn (result i32)
    (i32.add
      (i32.mul (i32.sub (i32.load8_u (i32.const 1030)) (i32.const 98)) (i32.const 9))
      (i32.sub (i32.load8_u (i32.const 1029)) (i32.const 49))))

  (func (export "judge_line") (param $length i32) (result i32)
    (if (i32.eq (i32.load16_u (i32.const 1024)) (i32.const 0x7264))
      (then
        (if (i32.lt_u (global.get $drawn) (i32.const 13))
          (then
            (i32.store8 offset=512 (global.get $drawn) (call $kind_drawn))
            (global.set $drawn (i32.add (global.get $drawn) (i32.const 1)))
            (if (i32.eq (global.get $drawn) (i32.const 13)) (then (call $guess)))))
        (i32.store16 (i32.const 600) (i32.load16_u (i32.const 1029)))))
    ;; Declines to win, and on `discard?` throws the tile drawn.
    (if (i32.eq (i32.load16_u (i32.const 1024)) (i32.const 0x6977))
      (then (i32.store16 (i32.const 1024) (i32.const 0x6f6e)) (return (i32.const 2))))
    (if (i32.ne (i32.load16_u (i32.const 1024)) (i32.const 0x6964)) (then (return (i32.const 0))))
    (i32.store16 (i32.const 1024) (i32.load16_u (i32.const 600)))
    i32.const 2))
