/**
 * Random programs of durable tasks: tasks that start others, decisions, messages, cancellations, retries, forks, deletions, ids that are
 * used again, two workers that stop, and processes that end. A program is the same for the same seed, but for the order of what happens at
 * the same time.
 */
import { isToolkitError } from '@x/core-model'
import { pause } from '@x/core-model/async'
import { findTask, StoredTasks, type TaskStatus, validEvents } from '@x/durable'
import { TaskProcess, TaskWorld } from './world.ts'

const HANGS_MS = 30_000
const ENDED: readonly TaskStatus[] = ['finished', 'failed', 'cancelled']
/** What an operation may be refused with: the task may have changed meanwhile. */
const REFUSALS = ['approval', 'task_busy', 'task_finalized', 'task_not_found', 'task_already_exists', 'invalid_step']

/** A task that the program has submitted or forked. */
interface Known {
  taskId: string
  /** Of its program. */
  number: number
  forkOf?: Known
  /** The messages that were sent into it. */
  heard: string[]
  isDeleted: boolean
  /** The processes that lived when its last deletion began. */
  beside?: readonly TaskProcess[]
  /** Whether no worker had begun this fork when its original was deleted: it can only fail. */
  isOrphan?: boolean
}

/** Returns what is wrong after a program, with its operations; null if nothing is. */
export async function runProgram(seed: number): Promise<string | null> {
  const program = new Program(seed, await TaskWorld.of(seed))
  try {
    await program.run()
    return null
  } catch (error) {
    return `seed ${seed}\n${program.log.join('\n')}\n${(error as Error).stack}`
  } finally {
    await program.end()
  }
}

class Program {
  readonly log: string[] = []
  private readonly random: () => number
  private readonly world: TaskWorld
  private readonly page: StoredTasks
  private processes: TaskProcess[] = []
  private readonly known: Known[] = []
  /** Calls that were approved, as `task/word`. */
  private readonly approved = new Set<string>()
  private readonly rejected = new Set<string>()
  /** Tasks that were cancelled and not retried since. */
  private readonly cancelled = new Set<string>()
  private words = 0
  private messages = 0

  constructor(seed: number, world: TaskWorld) {
    this.random = randomOf(seed)
    this.world = world
    const { store, log: events } = world
    this.page = new StoredTasks({ store, events, pollingIntervalMs: 5, onDelete: (id) => world.steering.clear(id) })
  }

  async run(): Promise<void> {
    for (let i = 0; i < 2; i++) await this.start()
    await this.submit()
    const length = 8 + this.below(25)
    for (let i = 0; i < length; i++) await this.step()
    await this.finish()
  }

  async end(): Promise<void> {
    this.world.release(true)
    await Promise.all(this.processes.map(({ isDead, tasks }) => !isDead && tasks.stop()))
  }

  private below(limit: number): number {
    return Math.floor(this.random() * limit)
  }

  private async start(): Promise<void> {
    const process = new TaskProcess(this.world)
    this.processes.push(process)
    await process.tasks.start()
  }

  private async step(): Promise<void> {
    const operations: [number, string, () => Promise<unknown>][] = [
      [4, 'submit', () => this.submit()],
      [6, 'decide', () => this.decide()],
      [3, 'steer', () => this.steer()],
      [2, 'cancel', () => this.cancel()],
      [1, 'cancel and delete', () => this.cancel(true)],
      [1, 'delete', () => this.delete(this.one())],
      [2, 'retry', () => this.retry()],
      [2, 'fork', () => this.fork()],
      [2, 'release', async () => this.world.release()],
      [2, 'kill', async () => this.kill()],
      [2, 'kill later', async () => this.kill(1 + this.below(40))],
      [1, 'stop', () => this.stop()],
      [6, 'pause', () => pause(this.below(30))],
    ]
    let at = this.below(operations.reduce((sum, [weight]) => sum + weight, 0))
    const [, name, run] = operations.find(([weight]) => (at -= weight) < 0)!
    this.log.push(name)
    try {
      await run()
    } catch (error) {
      if (!isToolkitError(error) || !REFUSALS.includes(error.code)) throw error
      this.log.push(`  ${error.code}`)
    }
    const dead = this.processes.filter(({ isDead }) => isDead)
    if (dead.length > 0 && this.below(3) > 0) await this.restart()
    this.check()
  }

  private async restart(): Promise<void> {
    this.processes = this.processes.filter(({ isDead }) => !isDead)
    while (this.processes.length < 2) await this.start()
  }

  private kill(after = 0): void {
    this.processes[this.below(this.processes.length)]!.end(after)
  }

  private one(): Known | undefined {
    return this.known[this.below(this.known.length)]
  }

  /** Returns the id of a task, maybe of one that another one has started. */
  private async any(): Promise<string | undefined> {
    const open = await this.page.list()
    return this.below(2) > 0 && open.length > 0 ? open[this.below(open.length)]!.taskId : this.one()?.taskId
  }

  /** Makes a program, and returns its number. */
  private program(depth = 0): number {
    const turns = Array.from({ length: this.below(4) }, () =>
      Array.from({ length: 1 + this.below(2) }, () => {
        const kinds = ['mail', 'mail', 'slow', 'buy', 'buy', ...(depth < 2 ? ['bg'] : [])]
        const kind = this.below(12) === 0 ? 'down' : kinds[this.below(kinds.length)]!
        return kind === 'bg' ? `bg ${this.program(depth + 1)}` : `${kind} ${++this.words}`
      }),
    )
    return this.world.programs.push(turns) - 1
  }

  private async submit(taskId = `t${this.known.length}`): Promise<void> {
    const number = this.program()
    this.log.push(`  ${taskId}: do ${number} ${JSON.stringify(this.world.programs[number])}`)
    const { tasks } =
      this.below(2) > 0 ? (this.processes.find(({ isDead }) => !isDead) ?? { tasks: this.page }) : { tasks: this.page }
    const known: Known = { taskId, number, heard: [], isDeleted: false }
    const isStored = await Promise.race([tasks.submit(`do ${number}`, { taskId }).then(() => true), pause(300)])
    // Its process may have ended before it was stored.
    if (!isStored) await this.page.submit(`do ${number}`, { taskId })
    this.known.push(known)
  }

  private async decide(): Promise<void> {
    const waiting = await this.page.list({ status: 'waiting' })
    const task = waiting[this.below(waiting.length)]
    if (task) await this.decideOne(task.taskId, this.below(4) > 0)
  }

  private async decideOne(taskId: string, approves: boolean): Promise<void> {
    const calls = await this.page.waiting(taskId)
    const call = calls[this.below(calls.length)]
    if (!call) return
    const { word } = JSON.parse(String(call.arguments)) as { word: number }
    this.log.push(`  ${approves ? 'approves' : 'rejects'} ${word} of ${taskId}`)
    // A decision is counted before it is made: it has its effect at once.
    if (approves) this.approved.add(`${taskId}/${word}`)
    await this.page.decide(taskId, { callId: call.id, type: approves ? 'approve' : 'reject' })
    if (!approves) this.rejected.add(`${taskId}/${word}`)
  }

  private async steer(): Promise<void> {
    const task = this.one()
    if (!task || task.isDeleted) return
    const message = `hear ${++this.messages}`
    this.log.push(`  ${message} into ${task.taskId}`)
    await this.world.steering.send(task.taskId, message)
    task.heard.push(message)
  }

  private async cancel(deletes = false): Promise<void> {
    const taskId = await this.any()
    if (taskId === undefined) return
    this.log.push(`  ${taskId}`)
    await this.page.cancel(taskId)
    if ((await this.page.status(taskId)) === 'cancelled') this.cancelled.add(taskId)
    const known = this.known.find((task) => task.taskId === taskId)
    if (deletes && known) await this.delete(known)
  }

  private async delete(task: Known | undefined): Promise<void> {
    if (!task || task.isDeleted) return
    this.log.push(`  deletes ${task.taskId}`)
    // A process may end, or begin to run the task, while it is deleted.
    task.beside = this.processes.filter(({ isDead }) => !isDead)
    await this.page.delete(task.taskId)
    task.isDeleted = true
    for (const fork of this.known)
      if (fork.forkOf === task && !fork.isDeleted) fork.isOrphan = await this.needsOriginal(fork.taskId)
    this.cancelled.delete(task.taskId)
    if (this.below(2) > 0) await this.submit(task.taskId)
  }

  private async retry(): Promise<void> {
    const taskId = await this.any()
    if (taskId === undefined) return
    this.log.push(`  ${taskId}`)
    await this.page.retry(taskId)
    this.cancelled.delete(taskId)
  }

  private async fork(): Promise<void> {
    const task = this.one()
    if (!task || task.isDeleted) return
    const turns = (await findTask(this.world.store, task.taskId))?.turns ?? 0
    const atStep = this.below(turns + 1)
    const taskId = `t${this.known.length}`
    this.log.push(`  ${task.taskId} at ${atStep} of ${turns} as ${taskId}`)
    await this.page.fork(task.taskId, { atStep, taskId })
    this.known.push({ taskId, number: task.number, forkOf: task, heard: [], isDeleted: false })
  }

  private async stop(): Promise<void> {
    const place = this.below(this.processes.length)
    const [process] = this.processes.splice(place, 1)
    const stopping = process!.isDead ? undefined : process!.tasks.stop({ drainMs: this.below(2) * 20 })
    await Promise.race([stopping, pause(500)])
    await this.restart()
  }

  /** Compares what has happened with what may. */
  private check(): void {
    const [fault] = this.world.faults
    if (fault !== undefined) throw new Error(`a worker reports: ${fault}`)
    const ran = new Set<string>()
    const keys = new Map<string, string>()
    for (const { name, taskId, word, key, run } of this.world.effects) {
      const call = `${taskId}/${word}`
      if (ran.has(`${run} ${key}`)) throw new Error(`${call} ran twice in one run`)
      ran.add(`${run} ${key}`)
      if ((keys.get(call) ?? key) !== key) throw new Error(`${call} ran under ${key} and ${keys.get(call)}`)
      keys.set(call, key)
      if (name === 'buy' && !this.isApproved(taskId, word)) throw new Error(`${call} ran without an approval`)
    }
  }

  /** A fork has the decisions of the steps that it has. */
  private isApproved(taskId: string, word: number): boolean {
    const original = this.known.find((task) => task.taskId === taskId)?.forkOf
    return this.approved.has(`${taskId}/${word}`) || (original !== undefined && this.isApproved(original.taskId, word))
  }

  /** Whether the worker that begins a fork copies steps of its original. */
  private async needsOriginal(taskId: string): Promise<boolean> {
    const { store } = this.world
    const [submitted] = ((await store.load(`submitted/${taskId}`)) ?? []) as {
      request: { fork: { atStep?: number } }
    }[]
    return submitted?.request.fork.atStep !== undefined && (await store.load(taskId)) === null
  }

  private isOrphan(taskId: string): boolean {
    return this.known.some((task) => task.taskId === taskId && !task.isDeleted && task.isOrphan)
  }

  /** Lets everything end, and compares it with what was asked for. */
  private async finish(): Promise<void> {
    this.log.push('at the end')
    for (const process of this.processes) process.end(Number.POSITIVE_INFINITY)
    await this.restart()
    this.world.release(true)
    const giveUp = Date.now() + HANGS_MS
    for (;;) {
      const open = await this.page.list()
      for (const { taskId, status } of open) if (status === 'waiting') await this.decideOne(taskId, true).catch(ignore)
      const failed = (await this.page.list({ status: 'failed' })).filter(({ taskId }) => !this.isOrphan(taskId))
      for (const { taskId } of failed) await this.page.retry(taskId).catch(ignore)
      if (open.length === 0 && failed.length === 0) break
      if (Date.now() > giveUp) throw new Error(`hangs: ${JSON.stringify(open)}`)
      await pause(5)
    }
    await this.end()
    this.check()
    await this.checkStore()
    for (const task of this.known) if (!task.isDeleted) await this.checkTask(task)
  }

  /** Nothing is left to do, and nothing of what was deleted. */
  private async checkStore(): Promise<void> {
    const { store } = this.world
    const active = await store.list({ active: true })
    const records = active.filter(({ taskId }) => taskId.startsWith('submitted/'))
    if (records.length > 0) throw new Error(`active at the end: ${records.map(({ taskId }) => taskId).join(' ')}`)
    for (const { taskId } of this.known.filter((task) => task.isDeleted)) {
      if (this.known.some((task) => task.taskId === taskId && !task.isDeleted)) continue
      if (await store.load(`submitted/${taskId}`)) throw new Error(`${taskId} was deleted, and has a record`)
      if (this.mayBeLeft(taskId)) continue
      if (await store.load(taskId)) throw new Error(`${taskId} was deleted, and has a journal`)
      if ((await this.world.log.readEvents(taskId, 0)).length > 0)
        throw new Error(`${taskId} was deleted, and has events`)
    }
    for (const { taskId } of await store.list()) {
      if (taskId.startsWith('submitted/')) continue
      if (!this.mayBeLeft(taskId) && !(await store.load(`submitted/${taskId}`)))
        throw new Error(`${taskId} has a journal without a record`)
    }
    for (const taskId of this.cancelled)
      if (!ENDED.includes(await this.page.status(taskId))) throw new Error(`${taskId} was cancelled, and runs`)
  }

  /** A process that ends while it ends the run of a deleted task leaves what it has just written. */
  private mayBeLeft(taskId: string): boolean {
    return this.known.some(
      (task) => task.taskId === taskId && task.beside?.some(({ isDead, ran }) => isDead && ran.has(taskId)),
    )
  }

  private async checkTask({ taskId, number, forkOf, heard }: Known): Promise<void> {
    const status = await this.page.status(taskId)
    if (this.isOrphan(taskId)) {
      const failure = await this.page.answer(taskId).catch(({ code }: { code: string }) => code)
      if (failure !== 'task_not_found' && failure !== 'task_cancelled') throw new Error(`${taskId}: ${failure}`)
      return
    }
    if (this.cancelled.has(taskId) !== (status === 'cancelled')) throw new Error(`${taskId} is ${status}`)
    if (status === 'cancelled') return
    const { response } = await this.page.answer(taskId)
    if (!response.startsWith(`Done ${number}.`)) throw new Error(`${taskId}: ${response}`)
    const said: readonly string[] = response.match(/hear \d+/g) ?? []
    const unread = (await this.world.steering.unread(taskId)).map(({ content }) => String(content))
    if (new Set(said).size < said.length) throw new Error(`${taskId} heard twice: ${response}`)
    for (const message of heard) {
      if (said.includes(message) === unread.includes(message))
        throw new Error(`${taskId}: "${message}" was ${said.includes(message) ? 'read and is unread' : 'lost'}`)
    }
    for (const word of this.world.programs[number]!.flat()) {
      const [kind, name] = word.split(' ')
      const wanted = Number(name)
      const didRun = this.world.effects.some((effect) => effect.taskId === taskId && effect.word === wanted)
      const isRejected = this.rejected.has(`${taskId}/${wanted}`)
      if (kind === 'bg' || forkOf !== undefined || (kind === 'buy' && isRejected)) continue
      if (!didRun) throw new Error(`${taskId}: ${word} did not run`)
    }
    const events = validEvents(await this.world.log.readEvents(taskId, 0))
    if (events.at(-1)?.type !== 'task_end') throw new Error(`${taskId}: its last event is ${events.at(-1)?.type}`)
    const rows = (await findTask(this.world.store, taskId))?.rows ?? []
    const answers = rows.filter(({ kind }) => kind === 'answer').length
    // The rows of a fork begin with those of its original.
    if (answers !== 1) throw new Error(`${taskId}: its timeline has ${answers} answers`)
  }
}

const ignore = () => {}

/** Returns numbers from 0 to 1 that look random, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
