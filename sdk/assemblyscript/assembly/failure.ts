// What `throw`, a failed assertion, an index out of range or a null calls in a bot with this kit, if
// the compiler is told by `--use abort=judgeFailure`, as `judge build` tells it.

@external("judge", "log")
declare function judgeLog(address: usize, length: i32): void;

/** Writes what failed, and where, to the bot's log, and ends the bot. */
// @ts-ignore: decorator
@global
export function judgeFailure(
  message: string | null,
  file: string | null,
  line: u32,
  column: u32,
): void {
  const what = message ? message : "failed";
  const where = file ? `${file}:${line}:${column}: ` : "";
  const bytes = String.UTF8.encode(`${where}${what}\n`);
  judgeLog(changetype<usize>(bytes), bytes.byteLength);
  unreachable();
}
