;; A program that misbehaves as case.toml says.
(module
  (memory 1)
  (func (export "memory"))
  (func (export "_start")))
