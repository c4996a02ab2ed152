;; A program that misbehaves as case.toml says.
(module
  (memory 1)
  (func (export "_start")
    nop))
