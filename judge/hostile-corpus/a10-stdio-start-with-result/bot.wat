;; A program that misbehaves as case.toml says.
(module
  (memory (export "memory") 1)
  (func (export "_start") (param $count i32) (param $list i32) (result i32) i32.const 0))
