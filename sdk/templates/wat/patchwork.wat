;; judge: game=patchwork
;; A bot for Patchwork in WebAssembly text.
(module
  ;; The judge writes a line to address 0 and calls `judge_line`; the answer goes to the same place.
  ;; 8192: your covered squares, at 9 * row + column. 12288: the circle as the judge sent it.
  ;; 12352: the patches left in it. 12544: the special squares of the track. 16384: the patches, 16
  ;; bytes at the code of the letter: cost, time, income, width, height, number of squares, and the
  ;; squares as 9 * row + column.
  (memory (export "memory") 1 32)
  (data (i32.const 12544) "\14\1a\20\2c\32")
  (data (i32.const 17424) "\02\01\00\01\02\02\00\09") ;; A #/#
  (data (i32.const 17440) "\01\03\00\02\02\03\01\09\0a") ;; B .#/##
  (data (i32.const 17456) "\03\01\00\02\02\03\01\09\0a") ;; C .#/##
  (data (i32.const 17472) "\02\02\00\01\03\03\00\09\12") ;; D #/#/#
  (data (i32.const 17488) "\03\02\01\02\03\04\01\09\0a\12") ;; E .#/##/#.
  (data (i32.const 17504) "\02\02\00\02\03\05\00\09\0a\12\13") ;; F #./##/##
  (data (i32.const 17520) "\01\04\01\05\03\07\02\09\0a\0b\0c\0d\14") ;; G ..#../#####/..#..
  (data (i32.const 17536) "\00\03\01\03\04\06\01\09\0a\0b\13\1c") ;; H .#./###/.#./.#.
  (data (i32.const 17552) "\06\05\02\02\02\04\00\01\09\0a") ;; I ##/##
  (data (i32.const 17568) "\04\02\00\02\04\06\00\09\0a\12\13\1c") ;; J #./##/##/.#
  (data (i32.const 17584) "\02\02\00\02\03\04\01\09\0a\13") ;; K .#/##/.#
  (data (i32.const 17600) "\01\05\01\02\04\06\00\01\0a\13\1b\1c") ;; L ##/.#/.#/##
  (data (i32.const 17616) "\03\03\01\01\04\04\00\09\12\1b") ;; M #/#/#/#
  (data (i32.const 17632) "\07\01\01\05\01\05\00\01\02\03\04") ;; N #####
  (data (i32.const 17648) "\03\04\01\02\04\05\00\09\12\13\1b") ;; O #./#./##/#.
  (data (i32.const 17664) "\07\04\02\02\04\06\00\09\0a\12\13\1b") ;; P #./##/##/#.
  (data (i32.const 17680) "\03\06\02\03\03\06\01\09\0a\0b\12\14") ;; Q .#./###/#.#
  (data (i32.const 17696) "\02\01\00\03\04\06\01\0a\0b\12\13\1c") ;; R .#./.##/##./.#.
  (data (i32.const 17712) "\04\06\02\02\03\04\01\0a\12\13") ;; S .#/.#/##
  (data (i32.const 17728) "\05\04\02\03\03\05\01\09\0a\0b\13") ;; T .#./###/.#.
  (data (i32.const 17744) "\02\03\00\03\03\07\00\02\09\0a\0b\12\14") ;; U #.#/###/#.#
  (data (i32.const 17760) "\05\03\01\03\04\08\01\09\0a\0b\12\13\14\1c") ;; V .#./###/###/.#.
  (data (i32.const 17776) "\0a\03\02\02\04\05\01\0a\13\1b\1c") ;; W .#/.#/.#/##
  (data (i32.const 17792) "\05\05\02\03\03\05\01\0a\12\13\14") ;; X .#./.#./###
  (data (i32.const 17808) "\0a\05\03\02\04\06\00\01\09\0a\13\1c") ;; Y ##/##/.#/.#
  (data (i32.const 17824) "\01\02\00\03\04\06\00\01\0a\13\1c\1d") ;; Z ##./.#./.#./.##
  (data (i32.const 17936) "\04\02\01\02\03\04\00\09\12\13") ;; a #./#./##
  (data (i32.const 17952) "\07\02\02\03\04\06\01\0a\13\1b\1c\1d") ;; b .#./.#./.#./###
  (data (i32.const 17968) "\0a\04\03\03\03\05\00\09\0a\13\14") ;; c #../##./.##
  (data (i32.const 17984) "\01\02\00\03\02\05\00\02\09\0a\0b") ;; d #.#/###
  (data (i32.const 18000) "\02\03\01\02\04\05\01\0a\12\13\1b") ;; e .#/.#/##/#.
  (data (i32.const 18016) "\07\06\03\03\02\04\01\02\09\0a") ;; f .##/##.
  (data (i32.const 18032) "\08\06\03\03\03\06\01\02\0a\0b\12\13") ;; g .##/.##/##.

  ;; The square of each side on the track of time, the side that moved last, special patches to lay
  ;; before the next move, and your number.
  (global $token0 (mut i32) (i32.const 0))
  (global $token1 (mut i32) (i32.const 0))
  (global $last (mut i32) (i32.const 0))
  (global $due (mut i32) (i32.const 0))
  (global $me (mut i32) (i32.const 0))
  ;; Your buttons and your income, the number of patches in the circle, and the position of the next
  ;; one after the neutral token.
  (global $buttons (mut i32) (i32.const 0))
  (global $income (mut i32) (i32.const 0))
  (global $left (mut i32) (i32.const 0))
  (global $next (mut i32) (i32.const 0))

  ;; YOUR STRATEGY: writes a move to address 0 and returns its length. Here: buys the first of the
  ;; three patches on offer that you can pay and that fits, and otherwise advances. `.` advances to
  ;; the square after the other side's token.
  (func $choose (result i32)
    (local $offer i32) (local $letter i32) (local $corner i32)
    (loop $next
      (if (i32.lt_s (local.get $offer) (call $min (i32.const 3) (global.get $left)))
        (then
          (local.set $letter
            (i32.load8_u offset=12352
              (i32.rem_u (i32.add (global.get $next) (local.get $offer)) (global.get $left))))
          (local.set $corner (call $place (local.get $letter)))
          (if (i32.and
                (i32.ge_s (local.get $corner) (i32.const 0))
                (i32.le_s (call $cost (local.get $letter)) (global.get $buttons)))
            (then (return (call $write (local.get $letter) (local.get $corner)))))
          (local.set $offer (i32.add (local.get $offer) (i32.const 1)))
          (br $next))))
    (i32.store8 (i32.const 0) (i32.const 46))
    (i32.const 1))

  ;; Writes a letter and a place as a move. The patch is never turned: if yours is (the fourth
  ;; letter), turn the squares in `$fits` and `$buy`.
  (func $write (param $letter i32) (param $corner i32) (result i32)
    (i32.store8 (i32.const 0) (local.get $letter))
    (i32.store8 (i32.const 1) (i32.add (i32.const 65) (i32.rem_u (local.get $corner) (i32.const 9))))
    (i32.store8 (i32.const 2) (i32.add (i32.const 65) (i32.div_u (local.get $corner) (i32.const 9))))
    (i32.store8 (i32.const 3) (i32.const 65))
    (i32.const 4))

  ;; The first place where a patch fits: 9 * row + column, or -1.
  (func $place (param $letter i32) (result i32)
    (local $corner i32)
    (loop $next
      (if (call $fits (local.get $letter) (local.get $corner))
        (then (return (local.get $corner))))
      (local.set $corner (i32.add (local.get $corner) (i32.const 1)))
      (br_if $next (i32.lt_s (local.get $corner) (i32.const 81))))
    (i32.const -1))

  (func $fits (param $letter i32) (param $corner i32) (result i32)
    (local $patch i32) (local $square i32)
    (local.set $patch (i32.shl (local.get $letter) (i32.const 4)))
    (if (i32.or
          (i32.gt_u
            (i32.add
              (i32.rem_u (local.get $corner) (i32.const 9))
              (i32.load8_u offset=16387 (local.get $patch)))
            (i32.const 9))
          (i32.gt_u
            (i32.add
              (i32.div_u (local.get $corner) (i32.const 9))
              (i32.load8_u offset=16388 (local.get $patch)))
            (i32.const 9)))
      (then (return (i32.const 0))))
    (loop $next
      (if (i32.load8_u offset=8192
            (i32.add
              (local.get $corner)
              (i32.load8_u offset=16390 (i32.add (local.get $patch) (local.get $square)))))
        (then (return (i32.const 0))))
      (local.set $square (i32.add (local.get $square) (i32.const 1)))
      (br_if $next
        (i32.lt_u (local.get $square) (i32.load8_u offset=16389 (local.get $patch)))))
    (i32.const 1))

  (func (export "judge_buffer") (result i32) (i32.const 0))

  (func (export "judge_line") (param $length i32) (result i32)
    (local $first i32)
    (local.set $first (i32.load8_u (i32.const 0)))
    ;; `game patchwork seat 1 …`
    (if (i32.eq (local.get $first) (i32.const 103))
      (then (global.set $me (i32.sub (i32.load8_u (i32.const 20)) (i32.const 49)))))
    ;; `circle …`
    (if (i32.eq (local.get $first) (i32.const 99))
      (then (memory.copy (i32.const 12288) (i32.const 7) (i32.const 33))))
    ;; `move? …`
    (if (i32.eq (local.get $first) (i32.const 109))
      (then
        (call $replay (local.get $length))
        (if (global.get $due) (then (return (call $special))))
        (return (call $choose))))
    (i32.const 0))

  ;; Lays a special patch on the first square that is not covered.
  (func $special (result i32)
    (local $square i32)
    (block $found
      (loop $next
        (br_if $found (i32.eqz (i32.load8_u offset=8192 (local.get $square))))
        (local.set $square (i32.add (local.get $square) (i32.const 1)))
        (br $next)))
    (call $write (i32.const 104) (local.get $square)))

  (func $cost (param $letter i32) (result i32)
    (i32.load8_u offset=16384 (i32.shl (local.get $letter) (i32.const 4))))

  (func $min (param $one i32) (param $two i32) (result i32)
    (select (local.get $one) (local.get $two) (i32.lt_s (local.get $one) (local.get $two))))

  (func $max (param $one i32) (param $two i32) (result i32)
    (select (local.get $one) (local.get $two) (i32.gt_s (local.get $one) (local.get $two))))

  ;; Moves a side's token.
  (func $advance (param $side i32) (param $to i32)
    (local $reached i32) (local $at i32) (local $special i32)
    (local.set $reached (call $max (global.get $token0) (global.get $token1)))
    (if (i32.gt_s (local.get $to) (i32.const 53)) (then (local.set $to (i32.const 53))))
    (loop $next
      (local.set $special (i32.load8_u offset=12544 (local.get $at)))
      (global.set $due
        (i32.add (global.get $due)
          (i32.and
            (i32.gt_s (local.get $special) (local.get $reached))
            (i32.le_s (local.get $special) (local.get $to)))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $next (i32.lt_s (local.get $at) (i32.const 5))))
    ;; Every sixth square pays, from 5 on.
    (if (i32.eq (local.get $side) (global.get $me))
      (then
        (global.set $buttons
          (i32.add (global.get $buttons)
            (i32.mul (global.get $income)
              (i32.sub
                (i32.div_s (i32.add (local.get $to) (i32.const 1)) (i32.const 6))
                (i32.div_s
                  (i32.add (call $token (local.get $side)) (i32.const 1))
                  (i32.const 6))))))))
    (if (local.get $side)
      (then (global.set $token1 (local.get $to)))
      (else (global.set $token0 (local.get $to))))
    (global.set $last (local.get $side)))

  (func $token (param $side i32) (result i32)
    (select (global.get $token1) (global.get $token0) (local.get $side)))

  ;; Buys the patch of the move at this address.
  (func $buy (param $side i32) (param $at i32)
    (local $letter i32) (local $patch i32) (local $square i32)
    (local.set $letter (i32.load8_u (local.get $at)))
    (local.set $patch (i32.shl (local.get $letter) (i32.const 4)))
    (global.set $next (i32.const 0))
    (block $found
      (loop $search
        (br_if $found
          (i32.eq (i32.load8_u offset=12352 (global.get $next)) (local.get $letter)))
        (global.set $next (i32.add (global.get $next) (i32.const 1)))
        (br $search)))
    (global.set $left (i32.sub (global.get $left) (i32.const 1)))
    (memory.copy
      (i32.add (i32.const 12352) (global.get $next))
      (i32.add (i32.const 12353) (global.get $next))
      (i32.sub (global.get $left) (global.get $next)))
    (if (i32.eq (global.get $next) (global.get $left)) (then (global.set $next (i32.const 0))))
    (if (i32.eq (local.get $side) (global.get $me))
      (then
        (global.set $buttons (i32.sub (global.get $buttons) (call $cost (local.get $letter))))
        (global.set $income
          (i32.add (global.get $income) (i32.load8_u offset=16386 (local.get $patch))))
        (loop $next_square
          (i32.store8 offset=8192
            (i32.add
              (call $corner (local.get $at))
              (i32.load8_u offset=16390 (i32.add (local.get $patch) (local.get $square))))
            (i32.const 1))
          (local.set $square (i32.add (local.get $square) (i32.const 1)))
          (br_if $next_square
            (i32.lt_u (local.get $square) (i32.load8_u offset=16389 (local.get $patch)))))))
    (call $advance (local.get $side)
      (i32.add (call $token (local.get $side)) (i32.load8_u offset=16385 (local.get $patch)))))

  ;; The place in the move at this address: 9 * row + column.
  (func $corner (param $at i32) (result i32)
    (i32.add
      (i32.mul (i32.const 9) (i32.sub (i32.load8_u offset=2 (local.get $at)) (i32.const 65)))
      (i32.sub (i32.load8_u offset=1 (local.get $at)) (i32.const 65))))

  (func $on_move (result i32)
    (if (i32.or (global.get $due) (i32.eq (global.get $token0) (global.get $token1)))
      (then (return (global.get $last))))
    (i32.gt_s (global.get $token0) (global.get $token1)))

  ;; Plays all moves so far, from the start: the text is at address 6.
  (func $replay (param $end i32)
    (local $at i32) (local $letter i32) (local $side i32) (local $to i32)
    (global.set $token0 (i32.const 0))
    (global.set $token1 (i32.const 0))
    (global.set $last (i32.const 0))
    (global.set $due (i32.const 0))
    (global.set $buttons (i32.const 5))
    (global.set $income (i32.const 0))
    (global.set $left (i32.const 33))
    (memory.fill (i32.const 8192) (i32.const 0) (i32.const 81))
    (memory.copy (i32.const 12352) (i32.const 12288) (i32.const 33))
    ;; The neutral token begins right after `A`.
    (global.set $next (i32.const 0))
    (loop $search
      (local.set $letter (i32.load8_u offset=12352 (global.get $next)))
      (global.set $next (i32.rem_u (i32.add (global.get $next) (i32.const 1)) (i32.const 33)))
      (br_if $search (i32.ne (local.get $letter) (i32.const 65))))
    (local.set $at (i32.const 6))
    (block $done
      (loop $next_move
        (br_if $done (i32.ge_s (local.get $at) (local.get $end)))
        (local.set $letter (i32.load8_u (local.get $at)))
        (br_if $done (i32.eq (local.get $letter) (i32.const 45)))
        (local.set $side (call $on_move))
        (if (i32.eq (local.get $letter) (i32.const 46))
          (then
            (local.set $to
              (call $min
                (i32.const 53)
                (i32.add (i32.const 1)
                  (call $token (i32.sub (i32.const 1) (local.get $side))))))
            (if (i32.eq (local.get $side) (global.get $me))
              (then
                (global.set $buttons
                  (i32.add (global.get $buttons)
                    (i32.sub (local.get $to) (call $token (local.get $side)))))))
            (call $advance (local.get $side) (local.get $to))
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (br $next_move)))
        (if (i32.eq (local.get $letter) (i32.const 104))
          (then
            (global.set $due (i32.sub (global.get $due) (i32.const 1)))
            (if (i32.eq (local.get $side) (global.get $me))
              (then
                (i32.store8 offset=8192 (call $corner (local.get $at)) (i32.const 1)))))
          (else (call $buy (local.get $side) (local.get $at))))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br $next_move)))))
