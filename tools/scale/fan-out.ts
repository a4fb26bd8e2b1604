/**
 * Units of work (documents, agent tasks) on workers that fail: the time of the run, the repeated model calls, and the limiting resource.
 * A unit prepares on the worker's processor, makes model calls whose results the engine saves, and stores its result in one transaction.
 * When a worker dies, its units continue elsewhere: saved calls are not made again, calls in flight are.
 */
import { Gate, type Process, RateLimit, Resource, randomNumbers, Simulation, type Wait } from './simulation.ts'

/** Times in seconds. */
export interface FanOut {
  units: number
  /** Model calls of one unit. */
  calls: number
  /** The number of calls of one unit that run at the same time. 1: one after the other, as the steps of an agent. */
  callsAtOnce: number
  /** Processor time of the worker for one unit, and for one call. */
  unitCpu: number
  callCpu: number
  /** The median time that the model takes, and how far it varies: the standard deviation of its logarithm. 0: always the median. */
  callSeconds: number
  callSpread: number
  /** Calls per second that the provider allows, and at the same time. */
  callRate: number
  callSlots: number
  /** The time that the engine needs to save one result, and the number of results that it saves at the same time. */
  saveSeconds: number
  saveSlots: number
  /** The transaction that stores a unit, and how many run at the same time. */
  storeSeconds: number
  storeSlots: number
  workers: number
  /** Units that one worker has in work at the same time. */
  unitsPerWorker: number
  /** The deaths of workers: the number of the worker, the time, and whether it never restarts; or random deaths, `deathsPerHour` for each worker. */
  deaths?: readonly { worker: number; at: number; forGood?: boolean }[]
  deathsPerHour?: number
  /** The time until the units of a dead worker continue elsewhere, and until it restarts. Infinity: never. */
  takeoverSeconds: number
  restartSeconds: number
  seed?: number
}

export interface FanOutResult {
  seconds: number
  finished: number
  callsMade: number
  callsBeyondNeed: number
  deaths: number
  unitsPerSecond: number
  /** Seconds from the start of a unit to its end: the median, and the time that 99 of 100 units need at most. */
  medianSeconds: number
  slowSeconds: number
  /** The part of each resource that was in use, between 0 and 1. */
  utilization: Record<'processors' | 'rate limit' | 'model slots' | 'engine' | 'store', number>
  /** The resource that was in use for 80 % of the time or more; `units in work` if no resource was: more units at the same time would be faster. */
  limit: string
}

interface Unit {
  saved: number
  startedAt: number
}

interface Worker {
  /** Counts its lives: a process of an earlier life stops when it resumes. */
  life: number
  cpu: Resource
  inWork: Set<Unit>
}

/** Simulates one run. The same options return the same result. */
export function simulateFanOut(options: FanOut): FanOutResult {
  return new FanOutRun(options).run()
}

class FanOutRun {
  private readonly simulation = new Simulation()
  private readonly random: () => number
  private readonly workers: Worker[]
  /** Processor time of workers that died. */
  private deadCpuSeconds = 0
  private readonly rate: RateLimit
  private readonly model: Resource
  private readonly engine: Resource
  private readonly store: Resource
  private readonly returned: Unit[] = []
  private idle: { worker: Worker; life: number }[] = []
  private readonly times: number[] = []
  private started = 0
  private finishedAt = 0
  private callsMade = 0
  private died = 0

  private readonly options: FanOut

  constructor(options: FanOut) {
    this.options = options
    this.random = randomNumbers(options.seed ?? 1)
    this.rate = new RateLimit(this.simulation, options.callRate)
    this.model = new Resource(this.simulation, options.callSlots)
    this.engine = new Resource(this.simulation, options.saveSlots)
    this.store = new Resource(this.simulation, options.storeSlots)
    this.workers = Array.from({ length: options.workers }, () => ({
      life: 0,
      cpu: new Resource(this.simulation, 1),
      inWork: new Set<Unit>(),
    }))
  }

  run(): FanOutResult {
    const { deaths = [], deathsPerHour = 0 } = this.options
    for (const worker of this.workers) this.fill(worker)
    for (const { worker, at, forGood } of deaths) this.simulation.start(this.death(this.workers[worker]!, forGood), at)
    if (deathsPerHour > 0) for (const worker of this.workers) this.simulation.start(this.deathsByChance(worker))
    this.simulation.run()
    return this.result()
  }

  private get isDone(): boolean {
    return this.times.length === this.options.units
  }

  /** Starts units on a worker up to its limit. */
  private fill(worker: Worker): void {
    for (let i = worker.inWork.size; i < this.options.unitsPerWorker; i++) this.take(worker)
  }

  private take(worker: Worker): void {
    const unit = this.returned.pop() ?? this.newUnit()
    if (!unit) {
      this.idle.push({ worker, life: worker.life })
      return
    }
    worker.inWork.add(unit)
    this.simulation.start(this.work(unit, worker))
  }

  private newUnit(): Unit | undefined {
    if (this.started >= this.options.units) return undefined
    this.started++
    return { saved: 0, startedAt: this.simulation.now }
  }

  private *work(unit: Unit, worker: Worker): Process {
    const { unitCpu, calls, callsAtOnce, storeSeconds } = this.options
    const { life } = worker
    if (!(yield* this.use(worker.cpu, unitCpu, worker, life))) return
    const lanes = Math.min(callsAtOnce, calls - unit.saved)
    if (lanes > 0) {
      const gate = new Gate(this.simulation)
      const left = { calls: calls - unit.saved, lanes }
      for (let lane = 0; lane < lanes; lane++) this.simulation.start(this.lane(unit, worker, left, gate))
      yield gate
    }
    if (!(yield* this.use(this.store, storeSeconds, worker, life))) return
    worker.inWork.delete(unit)
    this.times.push(this.simulation.now - unit.startedAt)
    this.finishedAt = this.simulation.now
    this.take(worker)
  }

  /** Makes calls of a unit, one after the other, until none is left; the last lane opens the gate. */
  private *lane(unit: Unit, worker: Worker, left: { calls: number; lanes: number }, gate: Gate): Process {
    const { callCpu, saveSeconds } = this.options
    const { life } = worker
    while (left.calls > 0) {
      left.calls--
      if (!(yield* this.use(worker.cpu, callCpu, worker, life))) return
      yield this.rate.delay()
      if (worker.life !== life) return
      yield this.model
      if (worker.life !== life) return this.model.release()
      this.callsMade++
      yield this.latency()
      // The provider finishes a call whether or not the worker lives.
      this.model.release()
      if (worker.life !== life) return
      if (!(yield* this.use(this.engine, saveSeconds, worker, life))) return
      unit.saved++
    }
    left.lanes--
    if (left.lanes === 0) gate.open()
  }

  /** Uses a slot for some seconds; returns whether the worker still lives. */
  private *use(resource: Resource, seconds: number, worker: Worker, life: number): Generator<Wait, boolean, void> {
    yield resource
    if (worker.life === life) yield seconds
    resource.release()
    return worker.life === life
  }

  /** A time from a log-normal distribution, by the method of Box and Muller. */
  private latency(): number {
    const { callSeconds, callSpread } = this.options
    if (callSpread === 0) return callSeconds
    const normal = Math.sqrt(-2 * Math.log(1 - this.random())) * Math.cos(2 * Math.PI * this.random())
    return callSeconds * Math.exp(callSpread * normal)
  }

  private *deathsByChance(worker: Worker): Process {
    const perSecond = this.options.deathsPerHour! / 3600
    for (;;) {
      yield -Math.log(1 - this.random()) / perSecond
      if (this.isDone) return
      yield* this.death(worker)
      if (this.options.restartSeconds === Number.POSITIVE_INFINITY) return
    }
  }

  private *death(worker: Worker, forGood = false): Process {
    if (this.isDone) return
    const { takeoverSeconds, restartSeconds } = this.options
    this.died++
    worker.life++
    const units = [...worker.inWork]
    worker.inWork.clear()
    this.deadCpuSeconds += worker.cpu.busySeconds
    worker.cpu = new Resource(this.simulation, 1)
    this.simulation.start(this.takeover(units, takeoverSeconds))
    if (forGood || restartSeconds === Number.POSITIVE_INFINITY) return
    yield restartSeconds
    this.fill(worker)
  }

  /** The units of a dead worker go to workers that are idle, or wait for the next that is. */
  private *takeover(units: readonly Unit[], delay: number): Process {
    yield delay
    this.returned.push(...units)
    const { idle } = this
    this.idle = []
    for (const { worker, life } of idle) if (worker.life === life) this.take(worker)
  }

  private result(): FanOutResult {
    const { units, calls, workers } = this.options
    const seconds = this.finishedAt
    const cpuSeconds = this.workers.reduce((sum, { cpu }) => sum + cpu.busySeconds, this.deadCpuSeconds)
    const times = this.times.toSorted((a, b) => a - b)
    const utilization = {
      processors: cpuSeconds / (seconds * workers),
      'rate limit': this.rate.granted / this.options.callRate / seconds,
      'model slots': this.model.busySeconds / (seconds * this.options.callSlots),
      engine: this.engine.busySeconds / (seconds * this.options.saveSlots),
      store: this.store.busySeconds / (seconds * this.options.storeSlots),
    }
    const [fullest, part] = Object.entries(utilization).reduce((most, next) => (next[1] > most[1] ? next : most))
    return {
      seconds,
      finished: times.length,
      callsMade: this.callsMade,
      callsBeyondNeed: Math.max(0, this.callsMade - units * calls),
      deaths: this.died,
      unitsPerSecond: times.length / seconds,
      medianSeconds: times[Math.floor(times.length / 2)] ?? 0,
      slowSeconds: times[Math.floor(times.length * 0.99)] ?? 0,
      utilization,
      limit: part >= 0.8 ? fullest : 'units in work',
    }
  }
}
