;; judge: game=amazons
;; A bot for Amazons in WebAssembly text.
(module
  ;; The judge writes a line to address 0 and calls `judge_line`; the answer goes to the same place.
  ;; 8192: the board with a border, 18 squares a row: `w` and `b` are amazons, `x` is burnt, `.` is
  ;; empty, 0 is outside. 12288: the eight directions.
  (memory (export "memory") 1 32)
  (data (i32.const 12288)
    "\01\00\00\00\ff\ff\ff\ff\12\00\00\00\ee\ff\ff\ff\13\00\00\00\ed\ff\ff\ff\11\00\00\00\ef\ff\ff\ff")

  ;; The best move so far.
  (global $from (mut i32) (i32.const 0))
  (global $to (mut i32) (i32.const 0))
  (global $most (mut i32) (i32.const 0))
  (global $at (mut i32) (i32.const 0))

  ;; YOUR STRATEGY: how good it is to go to this square. The best one is taken; the arrow goes back to
  ;; where the amazon came from.
  (func $value (param $square i32) (result i32)
    (call $reach (local.get $square)))

  ;; The number of squares that can be reached from this one in a straight line.
  (func $reach (param $square i32) (result i32)
    (local $way i32) (local $count i32) (local $next i32)
    (loop $ways
      (local.set $next (local.get $square))
      (block $stop
        (loop $steps
          (local.set $next (i32.add (local.get $next) (call $direction (local.get $way))))
          (br_if $stop (i32.ne (call $on (local.get $next)) (i32.const 46)))
          (local.set $count (i32.add (local.get $count) (i32.const 1)))
          (br $steps)))
      (local.set $way (i32.add (local.get $way) (i32.const 1)))
      (br_if $ways (i32.lt_s (local.get $way) (i32.const 8))))
    (local.get $count))

  (func $direction (param $way i32) (result i32)
    (i32.load offset=12288 (i32.mul (local.get $way) (i32.const 4))))

  ;; The content of a square.
  (func $on (param $square i32) (result i32)
    (i32.load8_u offset=8192 (local.get $square)))

  (func (export "judge_buffer") (result i32) (i32.const 0))

  (func (export "judge_line") (param $length i32) (result i32)
    (local $me i32) (local $square i32)
    ;; `move? …`
    (if (i32.ne (i32.load8_u (i32.const 0)) (i32.const 109)) (then (return (i32.const 0))))
    (local.set $me (i32.load8_u (i32.sub (local.get $length) (i32.const 1))))
    (call $read)
    (global.set $most (i32.const -1))
    (loop $next
      (if (i32.eq (call $on (local.get $square)) (local.get $me))
        (then (call $moves (local.get $square))))
      (local.set $square (i32.add (local.get $square) (i32.const 1)))
      (br_if $next (i32.lt_s (local.get $square) (i32.const 324))))
    (global.set $at (i32.const 0))
    (call $name (global.get $from))
    (call $write (i32.const 45))
    (call $name (global.get $to))
    (call $write (i32.const 47))
    (call $name (global.get $from))
    (global.get $at))

  ;; Looks at all squares that an amazon can go to.
  (func $moves (param $square i32)
    (local $way i32) (local $next i32)
    (loop $ways
      (local.set $next (local.get $square))
      (block $stop
        (loop $steps
          (local.set $next (i32.add (local.get $next) (call $direction (local.get $way))))
          (br_if $stop (i32.ne (call $on (local.get $next)) (i32.const 46)))
          (if (i32.gt_s (call $value (local.get $next)) (global.get $most))
            (then
              (global.set $most (call $value (local.get $next)))
              (global.set $from (local.get $square))
              (global.set $to (local.get $next))))
          (br $steps)))
      (local.set $way (i32.add (local.get $way) (i32.const 1)))
      (br_if $ways (i32.lt_s (local.get $way) (i32.const 8)))))

  ;; Writes a letter of the answer.
  (func $write (param $letter i32)
    (i32.store8 (global.get $at) (local.get $letter))
    (global.set $at (i32.add (global.get $at) (i32.const 1))))

  ;; Writes the name of a square, such as `d10`.
  (func $name (param $square i32)
    (local $row i32)
    (local.set $row (i32.div_u (local.get $square) (i32.const 18)))
    (call $write (i32.add (i32.const 96) (i32.rem_u (local.get $square) (i32.const 18))))
    (if (i32.ge_u (local.get $row) (i32.const 10))
      (then (call $write (i32.add (i32.const 48) (i32.div_u (local.get $row) (i32.const 10))))))
    (call $write (i32.add (i32.const 48) (i32.rem_u (local.get $row) (i32.const 10)))))

  ;; Reads the board of the question, from address 6 to a space.
  (func $read
    (local $at i32) (local $letter i32) (local $square i32) (local $empty i32)
    (memory.fill (i32.const 8192) (i32.const 0) (i32.const 324))
    ;; The highest row comes first.
    (local.set $square (i32.const 19))
    (local.set $at (i32.const 6))
    (block $counted
      (loop $count
        (local.set $letter (i32.load8_u (local.get $at)))
        (br_if $counted (i32.eq (local.get $letter) (i32.const 32)))
        (if (i32.eq (local.get $letter) (i32.const 47))
          (then (local.set $square (i32.add (local.get $square) (i32.const 18)))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $count)))
    (local.set $at (i32.const 6))
    (loop $next
      (local.set $letter (i32.load8_u (local.get $at)))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      ;; A digit of the number of empty squares.
      (if (i32.lt_u (i32.sub (local.get $letter) (i32.const 48)) (i32.const 10))
        (then
          (local.set $empty
            (i32.add
              (i32.mul (local.get $empty) (i32.const 10))
              (i32.sub (local.get $letter) (i32.const 48))))
          (br $next)))
      (memory.fill
        (i32.add (i32.const 8192) (local.get $square)) (i32.const 46) (local.get $empty))
      (local.set $square (i32.add (local.get $square) (local.get $empty)))
      (local.set $empty (i32.const 0))
      (if (i32.eq (local.get $letter) (i32.const 32)) (then (return)))
      (if (i32.eq (local.get $letter) (i32.const 47))
        (then
          (local.set $square
            (i32.sub
              (i32.add (i32.const 1)
                (i32.mul (i32.const 18) (i32.div_u (local.get $square) (i32.const 18))))
              (i32.const 18))))
        (else
          (i32.store8 offset=8192 (local.get $square) (local.get $letter))
          (local.set $square (i32.add (local.get $square) (i32.const 1)))))
      (br $next))))
