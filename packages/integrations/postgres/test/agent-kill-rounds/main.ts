/**
 * Kills an agent with SIGKILL at random points between and inside its steps, and starts it again until its task is finished. Refuses
 * lost steps, effects with different arguments under the same idempotency key, and effects that are repeated although their result was
 * saved. Counts effects that were repeated.
 *
 * The rounds take turns in how many agents pass the errand on (0, 2, 4), in the store (file, SQLite, and Postgres with `--postgres`), and
 * in whether each process is a new version of the program.
 *
 * With `--layers`, the agent is that of the guide "An agent that works for hours", with files, a to-do list, memory and work in the
 * background.
 *
 * @example npm run kill-rounds -- --rounds 200 --postgres
 * @example npm run kill-rounds -- --rounds 20 --layers
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { FunctionCallingAgent, FunctionTool, journal } from '@x/agents'
import { expandJournal } from '@x/agents/store'
import { LLMMetadata, type TaskStore } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { oneFile } from '../../../../../tools/one-file.ts'
import { startPostgres } from '../../../../../tools/postgres-server.ts'
import { effectsByKey, linesIn } from '../../../../durable/test/kill-rounds/effects.ts'
import { EFFECTS_FILE, type Effect, ERRAND, type Form, storeIn, TURNS, taskIn } from './errand.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    postgres: { type: 'boolean', default: false },
    layers: { type: 'boolean', default: false },
    parallel: { type: 'string', default: '3' },
  },
})
const program = oneFile(join(import.meta.dirname, 'errand.ts'))
/** The maximum time in milliseconds after which a process is killed. */
const LONGEST_LIFE = 150
/** With Postgres, to which a process connects first. */
const LONGEST_LIFE_ON_SERVER = 800
const EFFECTS = TURNS.flat().length

interface Round {
  kills: number
  repeated: number
  faults: string[]
}

/**
 * Starts the errand and kills it, later after each 20 `kills`: a busy machine must not prevent its end. Returns whether it ended by itself.
 */
async function live(folder: string, form: Form, kills: number): Promise<{ isDone: boolean; failure: string }> {
  const child = spawn(process.execPath, [await program, '--child', folder, JSON.stringify(form)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const longest = ['file', 'sqlite'].includes(form.store) ? LONGEST_LIFE : LONGEST_LIFE_ON_SERVER
  let failure = ''
  let killer: NodeJS.Timeout | undefined
  child.stderr.on('data', (data) => {
    failure += String(data)
  })
  child.stdout.once('data', () => {
    killer = setTimeout(() => child.kill('SIGKILL'), Math.random() * longest * 2 ** Math.floor(kills / 20))
  })
  return new Promise((resolve) => {
    child.on('exit', (code, signal) => {
      clearTimeout(killer)
      resolve({ isDone: code === 0, failure: signal === 'SIGKILL' ? '' : failure })
    })
  })
}

/** The outputs of tools that a journal contains. */
function outputsIn(entries: readonly unknown[]): Set<string> {
  const text = JSON.stringify(expandJournal(entries))
  return new Set(Array.from(text.matchAll(/"content":"((?:note|pay) [^"]+)"/g), ([, content]) => content!))
}

const outputOf = ({ tool, args }: Effect) => `${tool} ${(args as { what: string }).what}`

async function playRound(form: Form): Promise<Round> {
  const folder = mkdtempSync(join(tmpdir(), 'kill-rounds-'))
  const taskStore = await storeIn(folder, form.store)
  const faults: string[] = []
  let kills = 0
  let before: readonly unknown[] = []
  try {
    for (;;) {
      const earlier = linesIn<Effect>(join(folder, EFFECTS_FILE)).length
      const saved = outputsIn(before)
      const { isDone, failure } = await live(folder, form, kills)
      if (failure) faults.push(`the process failed: ${failure.slice(0, 500)}`)
      for (const effect of linesIn<Effect>(join(folder, EFFECTS_FILE)).slice(earlier))
        if (saved.has(outputOf(effect))) faults.push(`${outputOf(effect)} ran again although its result was saved`)
      const entries = (await taskStore.load(taskIn(folder))) ?? []
      if (JSON.stringify(entries.slice(0, before.length)) !== JSON.stringify(before)) faults.push('entries were lost')
      before = entries
      if (isDone || failure) break
      kills++
    }
    const { repeated, wrong } = await judge(folder, form, taskStore, before)
    return { kills, repeated, faults: [...faults, ...wrong].map((fault) => `${JSON.stringify(form)}: ${fault}`) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Compares the outside effects with the task and its conversation. */
async function judge(
  folder: string,
  { levels }: Form,
  taskStore: TaskStore,
  entries: readonly unknown[],
): Promise<{ repeated: number; wrong: string[] }> {
  const wrong: string[] = []
  const lines = linesIn<Effect>(join(folder, EFFECTS_FILE))
  const effects = lines.map(({ key, tool, args }) => ({ key, what: JSON.stringify([tool, args]) }))
  const { byKey, changed } = effectsByKey(effects)
  const repeated = effects.length - byKey.size
  for (const { key, what } of effects) if (key === '') wrong.push(`an effect without a key: ${what}`)
  for (const { key, before, what } of changed) wrong.push(`under the key ${key}: ${before} and ${what}`)
  if (byKey.size !== EFFECTS) wrong.push(`expected ${EFFECTS} different effects, found ${byKey.size}`)
  const saved = outputsIn(entries)
  for (const effect of lines) if (!saved.has(outputOf(effect))) wrong.push(`the journal lacks ${outputOf(effect)}`)
  if (saved.size !== EFFECTS) wrong.push(`expected ${EFFECTS} outputs in the journal, found ${saved.size}`)
  // The conversation of the errand is that of the innermost agent.
  if (levels > 0) return { repeated, wrong }

  const none = (name: string) =>
    FunctionTool.fromDefaults({ name, schema: { type: 'object', properties: {} }, fn: () => '' })
  const agent = FunctionCallingAgent.fromTools({
    llm: new ScriptedLLM({
      answers: [],
      metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true }),
    }),
    tools: [none('note'), none('pay')],
    taskStore: journal(taskStore),
  })
  const task = await agent.resumeTask(taskIn(folder))
  const outputs = agent.getCompletedSteps(taskIn(folder)).at(-1)?.output as { sources: readonly { content: string }[] }
  const happened = [...byKey.values()].map((text) => {
    const [tool, { what }] = JSON.parse(text) as [string, { what: string }]
    return `${tool} ${what}`
  })
  const recorded = outputs.sources.map(({ content }) => content)
  if (JSON.stringify([...recorded].sort()) !== JSON.stringify([...happened].sort()))
    wrong.push(`the task says ${JSON.stringify(recorded)}, what happened is ${JSON.stringify(happened)}`)
  const conversation = (await task?.memory.getAll()) ?? []
  const [asked, ...others] = conversation.filter(({ role }) => role === 'user')
  if (JSON.stringify(asked?.content) !== JSON.stringify(ERRAND) || others.length > 0)
    wrong.push(`the conversation does not have the errand once: ${JSON.stringify(conversation.map(String))}`)
  const shown = JSON.stringify(conversation)
  for (const text of happened) {
    const [, what] = /^\w+ (.*)$/.exec(text)!
    // In the call of the model, and in the output of the tool.
    const times = shown.split(what!).length - 1
    if (times !== 2) wrong.push(`expected ${what} twice in the conversation, found it ${times} times`)
  }
  return { repeated, wrong }
}

async function main(): Promise<void> {
  const rounds = Number(values.rounds)
  const results: Round[] = []
  const server = values.postgres ? await startPostgres() : undefined
  const stores = ['file', 'sqlite', ...(server ? [server.connectionString] : [])]
  const forms = [0, 2, 4].flatMap((levels) =>
    stores.flatMap((store) => [false, true].map((upgrade): Form => ({ levels, store, upgrade }))),
  )
  /** Few rounds have forms that differ in everything. */
  const STRIDE = 5
  const worker = async () => {
    while (results.length < rounds) {
      const round: Round = { kills: 0, repeated: 0, faults: [] }
      results.push(round)
      Object.assign(round, await playRound(forms[((results.length - 1) * STRIDE) % forms.length]!))
    }
  }
  await Promise.all(Array.from({ length: Number(values.parallel) }, worker))
  const sum = (count: (round: Round) => number) => results.reduce((total, round) => total + count(round), 0)
  for (const fault of results.flatMap(({ faults }) => faults)) console.log(`  ${fault}`)
  const failed = sum(({ faults }) => Number(faults.length > 0))
  console.log(
    `kill-rounds: ${rounds} rounds, ${sum(({ kills }) => kills)} kills, ${rounds * EFFECTS} effects, ` +
      `${sum(({ repeated }) => repeated)} repeated under the same key and arguments`,
  )
  console.log(`kill-rounds: ${rounds - failed} passed, ${failed} failed`)
  process.exit(failed > 0 ? 1 : 0)
}

if (values.layers) {
  const rounds = join(import.meta.dirname, '../../../../layers/test/kill-rounds.ts')
  const args = ['--conditions=@x/source', rounds, values.rounds]
  process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1
} else await main()
