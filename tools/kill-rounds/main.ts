/**
 * Kills an agent with SIGKILL at random points between and inside its steps, and starts it again until its task is finished. Refuses
 * lost steps, and effects with different arguments under the same idempotency key. Counts effects that were repeated.
 *
 * @example npm run kill-rounds -- --rounds 200
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { FunctionCallingAgent, FunctionTool } from '@x/agents'
import { LLMMetadata } from '@x/core-model'
import { ScriptedLLM } from '@x/core-model/testing'
import { FileTaskStore } from '@x/storage/node'
import { effectsByKey, linesIn } from './effects.ts'
import { EFFECTS_FILE, type Effect, ERRAND, runErrand, TASK_ID, TURNS } from './errand.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    child: { type: 'string' },
    parallel: { type: 'string', default: '3' },
  },
})
/** The maximum time in milliseconds after which a process is killed. */
const LONGEST_LIFE = 150
const EFFECTS = TURNS.flat().length

interface Round {
  kills: number
  repeated: number
  faults: string[]
}

/** Starts the errand and kills it. Returns whether it ended by itself. */
function live(folder: string): Promise<{ isDone: boolean; failure: string }> {
  const child = spawn(process.execPath, [import.meta.filename, '--child', folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let failure = ''
  let killer: NodeJS.Timeout | undefined
  child.stderr.on('data', (data) => {
    failure += String(data)
  })
  child.stdout.once('data', () => {
    killer = setTimeout(() => child.kill('SIGKILL'), Math.random() * LONGEST_LIFE)
  })
  return new Promise((resolve) => {
    child.on('exit', (code, signal) => {
      clearTimeout(killer)
      resolve({ isDone: code === 0, failure: signal === 'SIGKILL' ? '' : failure })
    })
  })
}

/** The entries that are stored. */
async function journalIn(folder: string): Promise<readonly unknown[]> {
  return (await new FileTaskStore(folder).load(TASK_ID)) ?? []
}

async function playRound(): Promise<Round> {
  const folder = mkdtempSync(join(tmpdir(), 'kill-rounds-'))
  const faults: string[] = []
  let kills = 0
  let before: readonly unknown[] = []
  try {
    for (;;) {
      const { isDone, failure } = await live(folder)
      if (failure) faults.push(`the process failed: ${failure.slice(0, 500)}`)
      const entries = await journalIn(folder)
      if (JSON.stringify(entries.slice(0, before.length)) !== JSON.stringify(before)) faults.push('entries were lost')
      before = entries
      if (isDone || failure) break
      kills++
    }
    const { repeated, wrong } = await judge(folder)
    return { kills, repeated, faults: [...faults, ...wrong] }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Compares the outside effects with the task and its conversation. */
async function judge(folder: string): Promise<{ repeated: number; wrong: string[] }> {
  const wrong: string[] = []
  const effects = linesIn<Effect>(join(folder, EFFECTS_FILE)).map(({ key, tool, args }) => ({
    key,
    what: JSON.stringify([tool, args]),
  }))
  const { byKey, changed } = effectsByKey(effects)
  for (const { key, what } of effects) if (key === '') wrong.push(`an effect without a key: ${what}`)
  for (const { key, before, what } of changed) wrong.push(`under the key ${key}: ${before} and ${what}`)
  if (byKey.size !== EFFECTS) wrong.push(`expected ${EFFECTS} different effects, found ${byKey.size}`)

  const none = (name: string) =>
    FunctionTool.fromDefaults({ name, schema: { type: 'object', properties: {} }, fn: () => '' })
  const agent = FunctionCallingAgent.fromTools({
    llm: new ScriptedLLM({
      answers: [],
      metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true }),
    }),
    tools: [none('note'), none('pay')],
    taskStore: new FileTaskStore(folder),
  })
  const task = await agent.resumeTask(TASK_ID)
  const outputs = agent.getCompletedSteps(TASK_ID).at(-1)?.output as { sources: readonly { content: string }[] }
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
  return { repeated: effects.length - byKey.size, wrong }
}

async function main(): Promise<void> {
  const rounds = Number(values.rounds)
  const results: Round[] = []
  const worker = async () => {
    while (results.length < rounds) {
      const round: Round = { kills: 0, repeated: 0, faults: [] }
      results.push(round)
      Object.assign(round, await playRound())
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
  process.exitCode = failed > 0 ? 1 : 0
}

if (values.child !== undefined) await runErrand(values.child, () => console.log('started'))
else await main()
