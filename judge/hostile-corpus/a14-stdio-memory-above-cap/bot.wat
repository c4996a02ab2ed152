;; A program that misbehaves as case.toml says.
(module
  (memory (export "memory") 33)
  (func (export "_start")
    nop))
