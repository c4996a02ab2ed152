static mut B: [u8; 4096] = [0; 4096];
#[unsafe(no_mangle)] pub extern "C" fn judge_buffer() -> *mut u8 { &raw mut B as *mut u8 }
#[unsafe(no_mangle)] pub extern "C" fn judge_line(n: i32) -> i32 { let v: Vec<u8> = vec![1; n as usize]; let mut b = itoa::Buffer::new(); assert!(b.format(v.len()).len() < 9, "oh"); let s: &[u8] = unsafe { &*(&raw const B) }; judge_protocol::is_line(&s[..v.len()]) as i32 }
