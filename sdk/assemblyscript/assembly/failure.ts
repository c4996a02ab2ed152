// The handler of `throw`, failed assertions, bad indices and nulls in a bot with this kit, if
// the compiler gets `--use abort=judgeFailure`, as from `judge build`.

@external("judge", "log")
declare function judgeLog(address: usize, length: i32): void;

/** Writes the failure and its place to the bot's log, and ends the bot. */
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
