;; judge: game=agamemnon
;; A bot for Agamemnon in WebAssembly text.
(module
  ;; The judge writes a line to address 0 and calls `judge_line`; the answer goes to the same place.
  ;; 8192: a copy of the line. 16384: for each node, the number of its edges, the other end of one of
  ;; them, and whether a tile is there, in four bytes. 12288: the words `yes` and `no`.
  (memory (export "memory") 1 32)
  (data (i32.const 12288) "yesno")
  ;; Your letter on tiles: `O` or `B`.
  (global $me (mut i32) (i32.const 79))
  (global $at (mut i32) (i32.const 0))

  ;; YOUR STRATEGY: how good it is to place a tile of this kind (`a` to `j`, 97 to 106) on this node.
  ;; The best empty node is taken.
  (func $value (param $kind i32) (param $node i32) (result i32)
    (if (result i32) (i32.ge_u (local.get $kind) (i32.const 105))
      (then (i32.sub (i32.const 0) (call $edges (local.get $node))))
      (else (call $edges (local.get $node)))))

  ;; The number of edges that end at a node.
  (func $edges (param $node i32) (result i32)
    (i32.load8_u offset=16384 (i32.shl (local.get $node) (i32.const 2))))

  (func (export "judge_buffer") (result i32) (i32.const 0))

  (func (export "judge_line") (param $length i32) (result i32)
    (local $first i32)
    (local.set $first (i32.load8_u (i32.const 0)))
    ;; `game agamemnon seat 1 …`
    (if (i32.eq (local.get $first) (i32.const 103))
      (then
        (global.set $me
          (select (i32.const 79) (i32.const 66)
            (i32.eq (i32.load8_u (i32.const 20)) (i32.const 49))))))
    ;; `redraw? i`: no
    (if (i32.eq (local.get $first) (i32.const 114))
      (then
        (memory.copy (i32.const 0) (i32.const 12291) (i32.const 2))
        (return (i32.const 2))))
    ;; `move? hj Od28… S0001…`
    (if (i32.eq (local.get $first) (i32.const 109))
      (then
        (memory.copy (i32.const 8192) (i32.const 0) (local.get $length))
        (i32.store8 offset=8192 (local.get $length) (i32.const 32))
        (return (call $answer))))
    (i32.const 0))

  (func $answer (result i32)
    (local $word i32) (local $drawn i32)
    ;; The tiles on the board come after the tiles drawn, the edges after them.
    (local.set $word (call $after_space (i32.const 8198)))
    (call $read_edges (call $after_space (local.get $word)))
    (call $read_tiles (local.get $word))
    (global.set $at (i32.const 0))
    (local.set $drawn (i32.const 8198))
    (loop $next
      (call $place (i32.load8_u (local.get $drawn)))
      (local.set $drawn (i32.add (local.get $drawn) (i32.const 1)))
      (br_if $next (i32.ne (i32.load8_u (local.get $drawn)) (i32.const 32))))
    (global.get $at))

  (func $after_space (param $at i32) (result i32)
    (loop $next
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $next (i32.ne (i32.load8_u (local.get $at)) (i32.const 32))))
    (i32.add (local.get $at) (i32.const 1)))

  ;; The number in two digits.
  (func $digits (param $at i32) (result i32)
    (i32.sub
      (i32.add
        (i32.mul (i32.const 10) (i32.load8_u (local.get $at)))
        (i32.load8_u offset=1 (local.get $at)))
      (i32.const 528)))

  ;; An edge, from one end.
  (func $end (param $node i32) (param $other i32)
    (local.set $node (i32.shl (local.get $node) (i32.const 2)))
    (i32.store8 offset=16384 (local.get $node)
      (i32.add (i32.load8_u offset=16384 (local.get $node)) (i32.const 1)))
    (i32.store8 offset=16385 (local.get $node) (local.get $other)))

  (func $read_edges (param $at i32)
    (local $one i32) (local $two i32)
    (memory.fill (i32.const 16384) (i32.const 0) (i32.const 400))
    (loop $next
      (local.set $one (call $digits (i32.add (local.get $at) (i32.const 1))))
      (local.set $two (call $digits (i32.add (local.get $at) (i32.const 3))))
      (call $end (local.get $one) (local.get $two))
      (call $end (local.get $two) (local.get $one))
      (local.set $at (i32.add (local.get $at) (i32.const 5)))
      (br_if $next (i32.ne (i32.load8_u (local.get $at)) (i32.const 32)))))

  (func $read_tiles (param $at i32)
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 45)) (then (return)))
    (loop $next
      (i32.store8 offset=16386
        (i32.shl (call $digits (i32.add (local.get $at) (i32.const 2))) (i32.const 2))
        (i32.const 1))
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (br_if $next (i32.ne (i32.load8_u (local.get $at)) (i32.const 32)))))

  ;; Places a tile on the best empty node.
  (func $place (param $kind i32)
    (local $node i32) (local $best i32) (local $most i32) (local $end i32)
    (local.set $most (i32.const -1000))
    (loop $next
      (if (i32.and
            (i32.ne (call $edges (local.get $node)) (i32.const 0))
            (i32.eqz (i32.load8_u offset=16386 (i32.shl (local.get $node) (i32.const 2)))))
        (then
          (if (i32.gt_s (call $value (local.get $kind) (local.get $node)) (local.get $most))
            (then
              (local.set $most (call $value (local.get $kind) (local.get $node)))
              (local.set $best (local.get $node))))))
      (local.set $node (i32.add (local.get $node) (i32.const 1)))
      (br_if $next (i32.lt_s (local.get $node) (i32.const 100))))
    (i32.store8 offset=16386 (i32.shl (local.get $best) (i32.const 2)) (i32.const 1))
    (call $write (global.get $me))
    (call $write (local.get $kind))
    (call $number (local.get $best))
    ;; A Warp exchanges the types of two edges at its node; the same edge twice changes nothing.
    (if (i32.eq (local.get $kind) (i32.const 106))
      (then
        (local.set $end (i32.load8_u offset=16385 (i32.shl (local.get $best) (i32.const 2))))
        (call $number (local.get $end))
        (call $number (local.get $end)))))

  ;; Writes a letter of the answer.
  (func $write (param $letter i32)
    (i32.store8 (global.get $at) (local.get $letter))
    (global.set $at (i32.add (global.get $at) (i32.const 1))))

  ;; Writes a number in two digits.
  (func $number (param $number i32)
    (call $write (i32.add (i32.const 48) (i32.div_u (local.get $number) (i32.const 10))))
    (call $write (i32.add (i32.const 48) (i32.rem_u (local.get $number) (i32.const 10))))))
