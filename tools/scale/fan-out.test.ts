import { expect, test } from 'vitest'
import { type FanOut, simulateFanOut } from './fan-out.ts'
import { Resource, randomNumbers, Simulation } from './simulation.ts'

/** One worker that does one unit at a time: 1 s of processor, two calls of 2 s, 0.5 s each to save, 3 s to store. */
const plain: FanOut = {
  units: 4,
  calls: 2,
  callsAtOnce: 1,
  unitCpu: 1,
  callCpu: 0,
  callSeconds: 2,
  callSpread: 0,
  callRate: Number.POSITIVE_INFINITY,
  callSlots: Number.POSITIVE_INFINITY,
  saveSeconds: 0.5,
  saveSlots: 1,
  storeSeconds: 3,
  storeSlots: 1,
  workers: 1,
  unitsPerWorker: 1,
  takeoverSeconds: 5,
  restartSeconds: Number.POSITIVE_INFINITY,
}

test('one unit after the other takes the sum of its parts', () => {
  const { seconds, callsMade, medianSeconds, limit } = simulateFanOut(plain)
  expect({ seconds, callsMade, medianSeconds, limit }).toEqual({
    seconds: 4 * (1 + 2 * 2.5 + 3),
    callsMade: 8,
    medianSeconds: 9,
    limit: 'units in work',
  })
})

test('calls of a unit at the same time overlap', () => {
  // Both calls end after 2 s and are saved one after the other.
  expect(simulateFanOut({ ...plain, units: 1, callsAtOnce: 2 }).seconds).toBe(1 + 2 + 0.5 + 0.5 + 3)
})

test.each<[string, Partial<FanOut>, number]>([
  ['processors', { unitCpu: 20 }, 4 * 20],
  ['store', { storeSeconds: 30 }, 4 * 30],
  ['engine', { saveSeconds: 10 }, 8 * 10],
  ['rate limit', { callRate: 0.1 }, 7 / 0.1],
  ['model slots', { callSeconds: 20, callSlots: 1 }, 8 * 20],
])('the fullest resource sets the time: %s', (limit, options, atLeast) => {
  const result = simulateFanOut({ ...plain, ...options, unitsPerWorker: 4 })
  expect(result.limit).toBe(limit)
  expect(result.seconds).toBeGreaterThanOrEqual(atLeast)
  expect(result.seconds).toBeLessThan(atLeast + 40)
})

test('more workers share the units until another resource is full', () => {
  const rate = (workers: number) => simulateFanOut({ ...plain, units: 300, workers }).unitsPerSecond
  expect(rate(2) / rate(1)).toBeCloseTo(2, 1)
  // The store takes 3 s for each unit, for all workers together.
  expect(rate(8)).toBeCloseTo(1 / 3, 1)
})

test('the units of a dead worker finish elsewhere, and only the calls in flight are repeated', () => {
  // At 3.2 s the first call is being saved; at 5 s it is saved and the second one is in flight.
  const deaths = (at: number) => simulateFanOut({ ...plain, units: 2, workers: 2, deaths: [{ worker: 0, at }] })
  expect(deaths(3.2)).toMatchObject({ finished: 2, callsMade: 5, callsBeyondNeed: 1, deaths: 1 })
  expect(deaths(5)).toMatchObject({ finished: 2, callsMade: 5, callsBeyondNeed: 1 })
  expect(deaths(7)).toMatchObject({ finished: 2, callsMade: 4, callsBeyondNeed: 0 })
})

test('units remain unfinished when all workers have died for good', () => {
  const result = simulateFanOut({ ...plain, deaths: [{ worker: 0, at: 10 }] })
  expect(result).toMatchObject({ finished: 1, deaths: 1 })
})

test('a worker that restarts continues its units', () => {
  const result = simulateFanOut({ ...plain, deaths: [{ worker: 0, at: 10 }], restartSeconds: 2 })
  expect(result.finished).toBe(4)
  // 9 s for the first unit, 1 s lost, the takeover after 5 s.
  expect(result.seconds).toBeCloseTo(10 + 2 + 3 * 9, 5)
})

test('many random deaths lose no unit', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const options = {
      units: 200,
      workers: 4,
      unitsPerWorker: 5,
      callSpread: 0.5,
      deathsPerHour: 60,
      restartSeconds: 3,
      seed,
    }
    const result = simulateFanOut({ ...plain, storeSeconds: 0.1, ...options })
    expect(result.finished).toBe(200)
    expect(result.deaths).toBeGreaterThan(0)
    expect(result.callsMade).toBe(400 + result.callsBeyondNeed)
    expect(result.callsBeyondNeed).toBeLessThanOrEqual(result.deaths * 5)
  }
})

test('the same seed returns the same run, another seed another one', () => {
  const run = (seed: number) =>
    simulateFanOut({ ...plain, callSpread: 0.5, deathsPerHour: 100, restartSeconds: 1, seed })
  expect(run(7)).toEqual(run(7))
  expect(run(7)).not.toEqual(run(8))
})

test('events happen in the order of their time, those of one time as they were scheduled', () => {
  const simulation = new Simulation()
  const random = randomNumbers(3)
  const seen: [number, number][] = []
  const delays = Array.from({ length: 1000 }, () => Math.floor(random() * 50))
  for (const [i, delay] of delays.entries()) {
    simulation.start(
      // biome-ignore lint/correctness/useYield: a process that only looks at the clock
      (function* () {
        seen.push([simulation.now, i])
      })(),
      delay,
    )
  }
  simulation.run()
  expect(seen).toEqual(delays.map((delay, i) => [delay, i]).toSorted((a, b) => a[0]! - b[0]! || a[1]! - b[1]!))
})

test('a resource serves in the order of the requests and counts its use', () => {
  const simulation = new Simulation()
  const resource = new Resource(simulation, 2)
  const ends: [string, number][] = []
  for (const name of ['a', 'b', 'c']) {
    simulation.start(
      (function* () {
        yield resource
        yield 10
        resource.release()
        ends.push([name, simulation.now])
      })(),
    )
  }
  simulation.run()
  expect(ends).toEqual([
    ['a', 10],
    ['b', 10],
    ['c', 20],
  ])
  expect(resource.busySeconds).toBe(30)
})
