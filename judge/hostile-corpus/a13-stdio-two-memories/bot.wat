;; A program that misbehaves as case.toml says.
(module
  (memory (export "memory") 1) (memory $other 1)
  (func (export "_start")
    nop))
