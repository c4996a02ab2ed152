;; A bot that does as case.toml says: Capturing & Conquering on 8x8.
(module
  (memory (export "memory") 1)
  ;; Directions, down and right, first those back to where its men come from.
  (data (i32.const 512) "\ff\ff" "\ff\00" "\00\ff" "\ff\01" "\01\ff" "\00\01" "\01\00" "\01\01")
  (func (export "judge_buffer") (result i32) i32.const 1024)

  ;; What stands there: `.` nothing, `m` a man of its own, `t` one of theirs, 0 outside.
  (func $at (param $row i32) (param $column i32) (result i32) (local $place i32)
    (if (i32.or
          (i32.gt_u (local.get $row) (i32.const 7))
          (i32.gt_u (local.get $column) (i32.const 7)))
      (then (return (i32.const 0))))
    ;; The position begins at 1030, with the side that is to move.
    (local.set $place
      (i32.add (i32.const 1031)
        (i32.shl (i32.add (i32.shl (local.get $row) (i32.const 3)) (local.get $column))
          (i32.const 1))))
    (if (i32.eq (i32.load8_u offset=1 (local.get $place)) (i32.const 48))
      (then (return (i32.const 46))))
    (select (i32.const 109) (i32.const 116)
      (i32.eq (i32.load8_u (local.get $place)) (i32.load8_u (i32.const 1030)))))

  ;; One part of a direction: 0 the rows, 1 the columns; seat 2 goes the other way.
  (func $part (param $direction i32) (param $part i32) (result i32) (local $step i32)
    (local.set $step
      (i32.load8_s offset=512
        (i32.add (i32.shl (local.get $direction) (i32.const 1)) (local.get $part))))
    (select (local.get $step) (i32.sub (i32.const 0) (local.get $step))
      (i32.eq (i32.load8_u (i32.const 1030)) (i32.const 48))))

  ;; Writes the move of this man, $far squares in this direction.
  (func $write (param $man i32) (param $direction i32) (param $far i32) (result i32)
    (local $row i32) (local $column i32)
    (local.set $row (i32.shr_u (local.get $man) (i32.const 3)))
    (local.set $column (i32.and (local.get $man) (i32.const 7)))
    ;; `0,0>0,0` with the digits added.
    (i64.store (i32.const 600) (i64.const 0x302c303e302c30))
    (i64.store (i32.const 608) (i64.const 0))
    (i32.store8 (i32.const 608) (local.get $row))
    (i32.store8 (i32.const 610) (local.get $column))
    (i32.store8 (i32.const 612)
      (i32.add (local.get $row)
        (i32.mul (local.get $far) (call $part (local.get $direction) (i32.const 0)))))
    (i32.store8 (i32.const 614)
      (i32.add (local.get $column)
        (i32.mul (local.get $far) (call $part (local.get $direction) (i32.const 1)))))
    (i64.store (i32.const 1024)
      (i64.add (i64.load (i32.const 600)) (i64.load (i32.const 608))))
    i32.const 7)

  ;; Whether this man can jump over one of its own, or with $far 1 step.
  (func $can (param $man i32) (param $direction i32) (param $far i32) (result i32)
    (local $row i32) (local $column i32) (local $down i32) (local $right i32)
    (local.set $row (i32.shr_u (local.get $man) (i32.const 3)))
    (local.set $column (i32.and (local.get $man) (i32.const 7)))
    (local.set $down (call $part (local.get $direction) (i32.const 0)))
    (local.set $right (call $part (local.get $direction) (i32.const 1)))
    (if (i32.ne (call $at (local.get $row) (local.get $column)) (i32.const 109))
      (then (return (i32.const 0))))
    (if (i32.ne
          (call $at
            (i32.add (local.get $row) (i32.mul (local.get $far) (local.get $down)))
            (i32.add (local.get $column) (i32.mul (local.get $far) (local.get $right))))
          (i32.const 46))
      (then (return (i32.const 0))))
    ;; Steps go forward only: the last three directions.
    (if (i32.eq (local.get $far) (i32.const 1))
      (then (return (i32.gt_u (local.get $direction) (i32.const 4)))))
    (i32.eq
      (call $at
        (i32.add (local.get $row) (local.get $down))
        (i32.add (local.get $column) (local.get $right)))
      (i32.const 109)))

  ;; The first such move, direction by direction; 0 if there is none.
  (func $first (param $far i32) (result i32) (local $direction i32) (local $man i32)
    (loop $next_direction
      (local.set $man (i32.const 0))
      (loop $next_man
        (if (call $can (local.get $man) (local.get $direction) (local.get $far))
          (then
            (return (call $write (local.get $man) (local.get $direction) (local.get $far)))))
        (br_if $next_man
          (i32.lt_u (local.tee $man (i32.add (local.get $man) (i32.const 1))) (i32.const 64))))
      (br_if $next_direction
        (i32.lt_u
          (local.tee $direction (i32.add (local.get $direction) (i32.const 1)))
          (i32.const 8))))
    i32.const 0)

  (func (export "judge_line") (param $length i32) (result i32) (local $answer i32)
    ;; Silent on notices; on `move? …`:
    (if (i32.ne (i32.load16_u (i32.const 1024)) (i32.const 0x6f6d)) (then (return (i32.const 0))))
    (local.set $answer (call $first (i32.const 2)))
    (if (result i32) (local.get $answer)
      (then (local.get $answer))
      (else (call $first (i32.const 1))))))
