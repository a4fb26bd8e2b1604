/// <reference types="node" />
/**
 * Measures how the time of work grows with its input, for tests. The time of one large input is compared with the time of many small ones
 * of the same total size: both take as long, allocate as much and meet as much noise when the time is linear. Processor time is measured,
 * so that other work on the machine counts little.
 */

/** A large input is this many times as long as a small one. */
const FACTOR = 16
/** The minimum time of a small input in milliseconds, if the largest size allows it. */
const LEAST_MS = 1
const LARGEST_SMALL_SIZE = 2e5
/**
 * Growth up to these powers is certainly linear after one round and after two; above them, more rounds decide. One round of quadratic work
 * has the first of them only if noise makes its small inputs take seven times as long.
 */
const [LINEAR_AT_ONCE, CLEARLY_LINEAR] = [1.3, 1.55]
const MOST_ROUNDS = 30
/** The maximum time of a measurement, longer than any noise. */
const MOST_MS = 10_000

/** Milliseconds of processor time that this process has used. Linux counts the time of a thread in steps of 4 ms only. */
function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Milliseconds that `times` runs in a row take. */
async function timeOf(run: (size: number) => unknown, size: number, times: number): Promise<number> {
  const start = processorTime()
  for (let i = 0; i < times; i++) {
    try {
      await run(size)
    } catch {
      // The input may be refused, but quickly.
    }
  }
  return processorTime() - start
}

/** The smallest size, doubled from `size`, at which a run can be measured once it is warm. */
async function measurableSize(run: (size: number) => unknown, size: number): Promise<number> {
  for (let small = size; ; small *= 2) {
    if (small >= LARGEST_SMALL_SIZE) return small
    let best = Number.POSITIVE_INFINITY
    for (let i = 0; i < 4 && best >= LEAST_MS; i++) best = Math.min(best, await timeOf(run, small, 1))
    if (best >= LEAST_MS) return small
  }
}

/**
 * Returns the power of the size that the time of `run` grows with: 1 is linear, 2 is quadratic. Test against 1.75: memory and noise
 * add a little to what is linear. Each side counts with the best of its rounds; rounds are added while the result is not clearly
 * linear.
 * @param size - the first size; doubled until the work can be measured, up to 400,000.
 *
 * @example expect(await growthOf((size) => parse('['.repeat(size)), 1000)).toBeLessThan(1.75)
 */
export async function growthOf(run: (size: number) => unknown, size: number): Promise<number> {
  const small = await measurableSize(run, size)
  let manySmall = Number.POSITIVE_INFINITY
  let oneLarge = Number.POSITIVE_INFINITY
  let growth = Number.POSITIVE_INFINITY
  let spent = 0
  const isClear = (rounds: number) => rounds > 0 && growth <= (rounds === 1 ? LINEAR_AT_ONCE : CLEARLY_LINEAR)
  for (let round = 0; round < MOST_ROUNDS && spent < MOST_MS && !isClear(round); round++) {
    const smallTime = await timeOf(run, small, FACTOR)
    const largeTime = await timeOf(run, small * FACTOR, 1)
    manySmall = Math.min(manySmall, smallTime)
    oneLarge = Math.min(oneLarge, largeTime)
    spent += smallTime + largeTime
    growth = 1 + Math.log(oneLarge / Math.max(manySmall, (LEAST_MS * FACTOR) / 4)) / Math.log(FACTOR)
  }
  return growth
}

/** Whether work of a size needs less processor time than this, so that its growth need not be measured. */
export async function isFast(run: (size: number) => unknown, size: number, milliseconds: number): Promise<boolean> {
  return (await timeOf(run, size, 1)) < milliseconds
}
