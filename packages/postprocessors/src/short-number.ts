/** Returns a number for a reason, with at most five digits; with all of them if it would look like the number beside it. */
export function shortNumber(value: number, beside?: number): string {
  const short = Number(value.toPrecision(5))
  return String(short === beside ? value : short)
}
