/**
 * A small discrete-event simulation: processes are generators that wait for time or for a slot of a resource. The clock jumps from
 * event to event, so a day of a hundred workers takes seconds. The same seed returns the same run.
 */

/** The condition that a process waits for: a number of seconds, a slot of a resource, or an open gate. */
export type Wait = number | { request(process: Process): void }
export type Process = Generator<Wait, void, void>

interface Event {
  time: number
  order: number
  process: Process
}

/** Runs processes in virtual time, in seconds. */
export class Simulation {
  now = 0
  /** Events in a binary heap, the earliest first; of events at one time, the one scheduled first. */
  private readonly events: Event[] = []
  private order = 0

  /** Starts a process after `delay` seconds. */
  start(process: Process, delay = 0): void {
    this.schedule(process, delay)
  }

  /** Runs until no process waits for time. */
  run(): void {
    for (let event = this.next(); event; event = this.next()) {
      this.now = event.time
      this.resume(event.process)
    }
  }

  /** Resumes a process until it waits again. */
  resume(process: Process): void {
    const { done, value } = process.next()
    if (done) return
    if (typeof value === 'number') this.schedule(process, value)
    else value.request(process)
  }

  private schedule(process: Process, delay: number): void {
    const event = { time: this.now + delay, order: this.order++, process }
    const { events } = this
    let at = events.push(event) - 1
    for (let parent = (at - 1) >> 1; at > 0 && isBefore(event, events[parent]!); parent = (at - 1) >> 1) {
      events[at] = events[parent]!
      at = parent
    }
    events[at] = event
  }

  private next(): Event | undefined {
    const { events } = this
    const first = events[0]
    const last = events.pop()
    if (!first || !last || events.length === 0) return first
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= events.length) break
      if (child + 1 < events.length && isBefore(events[child + 1]!, events[child]!)) child++
      if (!isBefore(events[child]!, last)) break
      events[at] = events[child]!
      at = child
    }
    events[at] = last
    return first
  }
}

function isBefore(one: Event, other: Event): boolean {
  return one.time < other.time || (one.time === other.time && one.order < other.order)
}

/**
 * A resource that `slots` processes may use at the same time: a processor, a database, the connections to a model. Waiting
 * processes are served in the order in which they asked. A process that received a slot calls `release` once.
 */
export class Resource {
  private readonly waiting: Process[] = []
  private head = 0
  private used = 0
  private counted = 0
  private countedAt = 0

  private readonly simulation: Simulation
  private readonly slots: number

  constructor(simulation: Simulation, slots: number) {
    this.simulation = simulation
    this.slots = slots
  }

  request(process: Process): void {
    if (this.used >= this.slots) {
      this.waiting.push(process)
      return
    }
    this.count(1)
    this.simulation.resume(process)
  }

  release(): void {
    const next = this.waiting[this.head]
    if (!next) {
      this.count(-1)
      return
    }
    this.head++
    if (this.head > 1000 && this.head * 2 > this.waiting.length) {
      this.waiting.splice(0, this.head)
      this.head = 0
    }
    this.simulation.start(next)
  }

  /** The seconds that slots were in use, added up over the slots. */
  get busySeconds(): number {
    return this.counted + this.used * (this.simulation.now - this.countedAt)
  }

  private count(change: 1 | -1): void {
    this.counted = this.busySeconds
    this.countedAt = this.simulation.now
    this.used += change
  }
}

/** Closed until `open` is called. One process waits for it. */
export class Gate {
  private process: Process | undefined
  private isOpen = false

  private readonly simulation: Simulation

  constructor(simulation: Simulation) {
    this.simulation = simulation
  }

  request(process: Process): void {
    if (this.isOpen) this.simulation.resume(process)
    else this.process = process
  }

  open(): void {
    this.isOpen = true
    if (this.process) this.simulation.start(this.process)
  }
}

/** Lets through `perSecond` requests each second, in their order; `delay` returns the seconds that the next one waits. */
export class RateLimit {
  private nextFree = 0
  /** The number of requests that were let through. */
  granted = 0

  private readonly simulation: Simulation
  private readonly perSecond: number

  constructor(simulation: Simulation, perSecond: number) {
    this.simulation = simulation
    this.perSecond = perSecond
  }

  delay(): number {
    const start = Math.max(this.simulation.now, this.nextFree)
    this.nextFree = start + 1 / this.perSecond
    this.granted++
    return start - this.simulation.now
  }
}

/** Uniform random numbers between 0 and 1 from a seed (the generator mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
