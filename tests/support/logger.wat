(module
    (import "judge" "log" (func $log (param i32 i32)))
    (memory (export "memory") 1)
    (data (i32.const 0) "begin\n")
    (data (i32.const 16) "\e2\82\ac ")
    (data (i32.const 32) "bye\n")
    (func (export "_initialize") (call $log (i32.const 0) (i32.const 6)))
    (func (export "judge_buffer") (result i32) i32.const 1024)
    (func (export "judge_line") (param i32) (result i32) (local $word i32)
        (local.set $word (i32.load16_u (i32.const 1024)))
        ;; draw: the tile is kept, and a character begun.
        (if (i32.eq (local.get $word) (i32.const 0x7264)) (then
            (i32.store16 (i32.const 20) (i32.load16_u (i32.const 1029)))
            (call $log (i32.const 16) (i32.const 1))
            (return (i32.const 0))))
        ;; discard?: the same tile, and the rest of the character.
        (if (i32.eq (local.get $word) (i32.const 0x6964)) (then
            (i32.store8 (i32.const 22) (i32.const 10))
            (call $log (i32.const 17) (i32.const 6))
            (i32.store16 (i32.const 1024) (i32.load16_u (i32.const 20)))
            (return (i32.const 2))))
        ;; win?: yes
        (if (i32.eq (local.get $word) (i32.const 0x6977)) (then
            (i32.store (i32.const 1024) (i32.const 0x736579))
            (return (i32.const 3))))
        ;; end
        (if (i32.eq (local.get $word) (i32.const 0x6e65)) (then
            (call $log (i32.const 32) (i32.const 4))))
        i32.const 0))
