;; A program that misbehaves as case.toml says.
(module
  (memory (export "memory") 1 2 shared)
  (func (export "_start")
    nop))
