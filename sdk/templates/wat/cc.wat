;; judge: game=cc
;; A bot for Capturing & Conquering in WebAssembly text.
(module
  ;; The judge writes a line to address 0 and calls `judge_line`; the answer goes to the same place.
  ;; 8192: a copy of the position; its first digit is the side to move.
  (memory (export "memory") 1 32)
  (global $size (mut i32) (i32.const 8))
  ;; 1 if you run down and right, -1 if you run up and left.
  (global $forward (mut i32) (i32.const 1))

  ;; The best move so far, and its value.
  (global $row (mut i32) (i32.const 0))
  (global $column (mut i32) (i32.const 0))
  (global $to_row (mut i32) (i32.const 0))
  (global $to_column (mut i32) (i32.const 0))
  (global $most (mut i32) (i32.const 0))
  (global $at (mut i32) (i32.const 0))

  ;; YOUR STRATEGY: how good a move is that runs so many rows and columns forward, and takes a man or
  ;; not. The best one is played.
  (func $value (param $run i32) (param $takes i32) (result i32)
    (i32.add (i32.mul (i32.const 2) (local.get $run)) (i32.mul (i32.const 5) (local.get $takes))))

  ;; The content of a square: 0 nothing, 1 a man of yours, 2 one of the other side, 3 outside.
  (func $on (param $row i32) (param $column i32) (result i32)
    (local $digits i32)
    (if (i32.or
          (i32.ge_u (local.get $row) (global.get $size))
          (i32.ge_u (local.get $column) (global.get $size)))
      (then (return (i32.const 3))))
    (local.set $digits
      (i32.shl
        (i32.add (i32.mul (local.get $row) (global.get $size)) (local.get $column))
        (i32.const 1)))
    (if (i32.eq (i32.load8_u offset=8194 (local.get $digits)) (i32.const 48))
      (then (return (i32.const 0))))
    (select (i32.const 1) (i32.const 2)
      (i32.eq (i32.load8_u offset=8193 (local.get $digits)) (i32.load8_u (i32.const 8192)))))

  (func (export "judge_buffer") (result i32) (i32.const 0))

  (func (export "judge_line") (param $length i32) (result i32)
    (local $square i32) (local $row i32) (local $column i32)
    ;; `move? …`
    (if (i32.ne (i32.load8_u (i32.const 0)) (i32.const 109)) (then (return (i32.const 0))))
    (memory.copy (i32.const 8192) (i32.const 6) (local.get $length))
    (global.set $size (i32.const 5))
    (block $known
      (loop $larger
        (br_if $known
          (i32.ge_s
            (i32.add (i32.const 7)
              (i32.mul (i32.const 2) (i32.mul (global.get $size) (global.get $size))))
            (local.get $length)))
        (global.set $size (i32.add (global.get $size) (i32.const 1)))
        (br $larger)))
    (global.set $forward
      (select (i32.const 1) (i32.const -1) (i32.eq (i32.load8_u (i32.const 8192)) (i32.const 48))))
    (global.set $most (i32.const -1000))
    (loop $next
      (local.set $row (i32.div_u (local.get $square) (global.get $size)))
      (local.set $column (i32.rem_u (local.get $square) (global.get $size)))
      (if (i32.eq (call $on (local.get $row) (local.get $column)) (i32.const 1))
        (then (call $moves (local.get $row) (local.get $column))))
      (local.set $square (i32.add (local.get $square) (i32.const 1)))
      (br_if $next
        (i32.lt_s (local.get $square) (i32.mul (global.get $size) (global.get $size)))))
    (global.set $at (i32.const 0))
    (call $number (global.get $row))
    (call $write (i32.const 44))
    (call $number (global.get $column))
    (call $write (i32.const 62))
    (call $number (global.get $to_row))
    (call $write (i32.const 44))
    (call $number (global.get $to_column))
    (global.get $at))

  ;; Looks at the steps and single jumps of a man; a chain, such as `0,1>2,3>2,5`, is allowed as well.
  (func $moves (param $row i32) (param $column i32)
    (local $way i32) (local $down i32) (local $right i32) (local $next i32) (local $behind i32)
    (loop $ways
      (local.set $down (i32.sub (i32.div_u (local.get $way) (i32.const 3)) (i32.const 1)))
      (local.set $right (i32.sub (i32.rem_u (local.get $way) (i32.const 3)) (i32.const 1)))
      (local.set $next
        (call $on
          (i32.add (local.get $row) (local.get $down))
          (i32.add (local.get $column) (local.get $right))))
      (local.set $behind
        (call $on
          (i32.add (local.get $row) (i32.shl (local.get $down) (i32.const 1)))
          (i32.add (local.get $column) (i32.shl (local.get $right) (i32.const 1)))))
      ;; A step.
      (if (i32.and
            (i32.eqz (local.get $next))
            (i32.and
              (i32.ge_s (i32.mul (local.get $down) (global.get $forward)) (i32.const 0))
              (i32.ge_s (i32.mul (local.get $right) (global.get $forward)) (i32.const 0))))
        (then
          (call $consider (local.get $row) (local.get $column)
            (local.get $down) (local.get $right) (i32.const 0))))
      ;; A jump.
      (if (i32.and
            (i32.and (i32.ne (local.get $way) (i32.const 4)) (i32.eqz (local.get $behind)))
            (i32.or (i32.eq (local.get $next) (i32.const 1)) (i32.eq (local.get $next) (i32.const 2))))
        (then
          (call $consider (local.get $row) (local.get $column)
            (i32.shl (local.get $down) (i32.const 1))
            (i32.shl (local.get $right) (i32.const 1))
            (i32.eq (local.get $next) (i32.const 2)))))
      (local.set $way (i32.add (local.get $way) (i32.const 1)))
      (br_if $ways (i32.lt_s (local.get $way) (i32.const 9)))))

  (func $consider
    (param $row i32) (param $column i32) (param $down i32) (param $right i32) (param $takes i32)
    (local $found i32)
    (local.set $found
      (call $value
        (i32.mul (global.get $forward) (i32.add (local.get $down) (local.get $right)))
        (local.get $takes)))
    (if (i32.le_s (local.get $found) (global.get $most)) (then (return)))
    (global.set $most (local.get $found))
    (global.set $row (local.get $row))
    (global.set $column (local.get $column))
    (global.set $to_row (i32.add (local.get $row) (local.get $down)))
    (global.set $to_column (i32.add (local.get $column) (local.get $right))))

  ;; Writes a letter of the answer.
  (func $write (param $letter i32)
    (i32.store8 (global.get $at) (local.get $letter))
    (global.set $at (i32.add (global.get $at) (i32.const 1))))

  ;; Writes a number from 0 to 15.
  (func $number (param $number i32)
    (if (i32.ge_u (local.get $number) (i32.const 10)) (then (call $write (i32.const 49))))
    (call $write (i32.add (i32.const 48) (i32.rem_u (local.get $number) (i32.const 10))))))
