/// <reference types="node" />
/**
 * How the time of work grows with its input, for tests: measured in processor time, so that other work on the machine does not count,
 * and as a relation between sizes, so that the machine does not.
 */

/** Each comparison is between an input and one of this many times its size. */
const FACTOR = 32
const LEAST_MS = 1
const LONG_MS = 5000

/** Milliseconds of processor time that this thread has used. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage()
  return (user + system) / 1000
}

/** The best of some tries, as the machine can only make things slower. */
async function timeOf(run: (size: number) => unknown, size: number, tries: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < tries; i++) {
    const start = processorTime()
    try {
      await run(size)
    } catch {
      // Refusing the input is fine; it must be quick.
    }
    best = Math.min(best, processorTime() - start)
  }
  return best
}

/**
 * The power of the size that the time of `run` grows with: 1 is linear, 2 is quadratic. Test against 1.75: noise adds a little to what is linear.
 * @param size - where to begin; doubled until the work can be measured, up to 400,000.
 *
 * @example expect(await growthOf((size) => parse('['.repeat(size)), 1000)).toBeLessThan(1.75)
 */
export async function growthOf(run: (size: number) => unknown, size: number): Promise<number> {
  let small = size
  while ((await timeOf(run, small, 4)) < LEAST_MS && small < 2e5) small *= 2
  let lowest = Number.POSITIVE_INFINITY
  for (let round = 0; round < 6 && lowest > 1.5; round++) {
    const times = [await timeOf(run, small, 4), await timeOf(run, small * FACTOR, 1)]
    lowest = Math.min(lowest, Math.log(times[1]! / Math.max(times[0]!, LEAST_MS / 2)) / Math.log(FACTOR))
    // No noise lasts that long.
    if (times[1]! > LONG_MS) break
  }
  return lowest
}
