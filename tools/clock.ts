/**
 * Sets the clock of this process back. Timers continue as before.
 * @returns sets it right again.
 */
export function clockGoesBack(milliseconds: number): () => void {
  const { now } = Date
  Date.now = () => now.call(Date) - milliseconds
  return () => {
    Date.now = now
  }
}
