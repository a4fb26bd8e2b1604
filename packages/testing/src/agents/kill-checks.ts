/**
 * @module
 * Agents that are killed at any entry of their journal, as checks for any test runner and any task store.
 */
import { AgentTool, FunctionCallingAgent, FunctionTool, journal } from '@x/agents'
import { expandJournal } from '@x/agents/store'
import { type BaseLLM, ChatMessage, ChatResponse, isToolkitError, LLMMetadata, type TaskStore } from '@x/core-model'
import type { ContractCheck } from '../storage/contract-check.ts'

/** Options of {@link killChecks}. */
interface KillCheckOptions {
  /** How many agents pass the work on, each as a tool of the one before: one check for each number. @defaultValue [0, 1, 3] */
  levels?: readonly number[] | undefined
  /** At most how many entries of a journal the process is killed at, before and after the entry is stored. @defaultValue all */
  points?: number | undefined
}

/**
 * Returns checks that run a task on a task store, kill its process at the entries of the journal, and let a new version of the program
 * continue, in which other tools need approval. The task has agents behind tools of agents, of which only the outermost has the store,
 * approvals, results from outside, and a model that never repeats an answer. A check rejects if an effect is lost, if a key occurs with
 * other arguments, or if an effect is repeated although its result was stored.
 * @param create - returns a new, empty store.
 * @param reopen - returns a second store with the data of the first one, as another process opens it. A store in memory has none.
 * @example
 * import { MemoryTaskStore } from '@x/agents'
 * for (const { run } of killChecks(() => new MemoryTaskStore(), undefined, { levels: [1], points: 5 })) await run()
 */
export function killChecks<Store extends TaskStore>(
  create: () => Store | Promise<Store>,
  reopen: (store: Store) => TaskStore | Promise<TaskStore> = (store) => store,
  { levels = [0, 1, 3], points = Number.POSITIVE_INFINITY }: KillCheckOptions = {},
): readonly ContractCheck[] {
  return levels.flatMap((level) => [
    {
      name: `continues after a kill at any entry, with ${level} agents that pass the work on`,
      run: async () => {
        const straight = new Work(level)
        const total = await straight.live(new Life(await create()))
        for (let i = 0; i < Math.min(points, total); i++) {
          const last = points < total ? Math.floor((i * total) / points) : i
          for (const isStored of [false, true]) {
            const store = await create()
            await playLives(new Work(level), store, reopen, (n) => (n === 0 ? [last, isStored] : []))
          }
        }
      },
    },
    {
      name: `continues after a kill in each of many processes, with ${level} agents that pass the work on`,
      run: async () => {
        for (let length = 3 + 2 * level; length < 8 + 3 * level; length++) {
          const store = await create()
          await playLives(new Work(level), store, reopen, (n) => [length, n % 2 === 0])
        }
      },
    },
  ])
}

const MOST_LIVES = 500

/**
 * Runs processes until the work is done, and checks its effects. @param killAt - the last append of a process, and whether it is stored.
 */
async function playLives<Store extends TaskStore>(
  work: Work,
  store: Store,
  reopen: (store: Store) => TaskStore | Promise<TaskStore>,
  killAt: (n: number) => [last?: number, isStored?: boolean],
): Promise<void> {
  for (let n = 0; n < MOST_LIVES; n++) {
    const [last, isStored] = killAt(n)
    const opened = n === 0 ? store : await reopen(store)
    const life = new Life(opened, last, isStored)
    const saved = JSON.stringify(expandJournal((await opened.load(TASK_ID)) ?? []), (_, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    )
    const earlier = work.effects.length
    try {
      await work.live(life)
      return work.check()
    } catch (error) {
      if (!(error instanceof Killed)) throw error
    } finally {
      work.checkRepeated(saved, earlier)
    }
  }
  throw new Error(`expected that the task ends within ${MOST_LIVES} processes`)
}

const TASK_ID = 'task'

class Killed extends Error {
  readonly fatal = true
}

/** The life of a process, which ends at one of its appends, before or after the entry is stored. */
class Life implements TaskStore {
  appends = 0
  private readonly store: TaskStore
  private readonly last: number
  private readonly isStored: boolean

  constructor(store: TaskStore, last = Number.POSITIVE_INFINITY, isStored = false) {
    this.store = store
    this.last = last
    this.isStored = isStored
  }

  async append(taskId: string, entries: readonly object[], revision: number): Promise<boolean> {
    const n = this.appends++
    const isStored = n < this.last || (n === this.last && this.isStored)
    const done = isStored ? await this.store.append(taskId, entries, revision) : false
    if (n >= this.last) throw new Killed('The process was killed.')
    return done
  }

  load(taskId: string) {
    return this.store.load(taskId)
  }

  list(filter?: Parameters<TaskStore['list']>[0]) {
    return this.store.list(filter)
  }

  delete(taskId: string) {
    return this.store.delete(taskId)
  }
}

interface Effect {
  key: string
  what: string
}

type Calls = readonly (readonly [name: string, args: object])[]

/** The work, and its effects outside. */
class Work {
  readonly effects: Effect[] = []
  private readonly levels: number
  private lives = 0
  private asked = 0

  constructor(levels: number) {
    this.levels = levels
  }

  /** Starts or continues the work in a new version of the program. Returns the number of entries. */
  async live(life: Life): Promise<number> {
    const agent = this.agent(life, this.lives++ % 2 === 1)
    if (!(await agent.resumeTask(TASK_ID))) await agent.createTask('Go!', { taskId: TASK_ID })
    for (;;) {
      for (const { id, awaits } of agent.getPendingApprovals(TASK_ID)) {
        if (awaits === 'result') await agent.provideResult(TASK_ID, id, 'yes')
        else await agent.approve(TASK_ID, id)
      }
      try {
        await agent.runTask(TASK_ID)
        return life.appends
      } catch (error) {
        if (!isToolkitError(error, 'approval_required')) throw killedBy(error)
      }
    }
  }

  /** Throws if an effect is lost, or has two keys or other arguments. */
  check(): void {
    const byKey = new Map(this.effects.map(({ key, what }) => [key, what]))
    for (const { key, what } of this.effects)
      if (byKey.get(key) !== what)
        throw new Error(
          `expected the same arguments for each effect with the key ${key}, received ${what} and ${byKey.get(key)}`,
        )
    const names = [...byKey.values()].map((what) => what.split(' ')[0]).sort()
    const expected = 'log,note,note,pay,pay'
    if (names.join() !== expected) throw new Error(`expected the effects ${expected}, received ${names.join()}`)
  }

  /** Throws if an effect of the last process has a result that was stored before. */
  checkRepeated(saved: string, earlier: number): void {
    for (const { what } of this.effects.slice(earlier))
      if (saved.includes(`"${what} is done"`))
        throw new Error(`expected that ${what} does not run again: its result was stored`)
  }

  private agent(taskStore: TaskStore, isNewVersion: boolean): FunctionCallingAgent {
    const human = FunctionTool.external({ name: 'human', schema: { type: 'object', properties: { what: {} } } })
    const last = this.levels === 0
    let agent = FunctionCallingAgent.fromTools({
      llm: this.model([['pay'], ['note', 'note'], ['human'], ['log', 'pay']]),
      tools: [this.tool('pay', true), this.tool('note', isNewVersion), this.tool('log', isNewVersion), human],
      ...(isNewVersion && { systemPrompt: 'Work carefully.' }),
      ...(last && { taskStore: journal(taskStore) }),
    })
    for (let level = this.levels; level > 0; level--)
      agent = FunctionCallingAgent.fromTools({
        llm: this.model([['pass_on']]),
        tools: [new AgentTool({ agent, name: 'pass_on' })],
        ...(level === 1 && { taskStore: journal(taskStore) }),
      })
    return agent
  }

  private tool(name: string, needsApproval: boolean): FunctionTool {
    return FunctionTool.fromDefaults({
      name,
      needsApproval,
      schema: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
      fn: ({ what }, { idempotencyKey = '' }) => {
        this.effects.push({ key: idempotencyKey, what: `${name} ${what}` })
        return `${name} ${what} is done`
      },
    })
  }

  /** A model that never repeats an answer. */
  private model(turns: readonly (readonly string[])[]): BaseLLM {
    const chat = async (messages: readonly ChatMessage[]) => {
      const since = messages.findLastIndex(({ role }) => role === 'user')
      const turn = messages.slice(since).filter(({ role }) => role === 'assistant').length
      const id = `${++this.asked}`
      const calls: Calls = (turns[turn] ?? []).map((name, i) => [
        name,
        { [name === 'pass_on' ? 'input' : 'what']: `${id}-${i}` },
      ])
      const tool_calls = calls.map(([name, args], i) => ({
        id: `${id}-${i}`,
        type: 'function',
        function: { name, arguments: JSON.stringify(args) },
      }))
      const given = calls.length > 0 ? { content: null, additionalKwargs: { tool_calls } } : { content: `Done ${id}.` }
      return new ChatResponse({ message: new ChatMessage({ role: 'assistant', ...given }) })
    }
    const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true, contextWindow: null })
    return { metadata, chat } as unknown as BaseLLM
  }
}

/** Returns the kill that ended a run, which agents among the tools may have wrapped. */
function killedBy(error: unknown): unknown {
  let cause = error
  while (cause instanceof Error && !(cause instanceof Killed)) cause = cause.cause
  return cause instanceof Killed ? cause : error
}
