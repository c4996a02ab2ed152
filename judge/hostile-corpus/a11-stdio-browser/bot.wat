;; A program that misbehaves as case.toml says.
(module
  (import "env" "emscripten_memcpy_js" (func (param i32 i32 i32)))
  (memory (export "memory") 1)
  (func (export "_start")))
