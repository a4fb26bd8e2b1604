/**
 * Measures what saving a task costs as it grows: the CPU time and the bytes of its journal for 100, 200, 400 and 800 steps, each with an
 * output of 2 kB. A worker that does nothing else shows the growth; an agent with tools shows the total. Exits with 1 when time or
 * bytes grow by more than 2.3 per doubling.
 *
 * @example npm run bench -- agent-journal
 */
import {
  AgentChatResponse,
  AgentRunner,
  type AgentWorker,
  FunctionTool,
  ReActAgent,
  type StepOptions,
  type Task,
  TaskStep,
  TaskStepOutput,
  type TaskStore,
} from '../packages/agents/src/index.ts'
import { ToolOutput, writeJsonText } from '../packages/core-model/src/index.ts'
import { ScriptedLLM } from '../packages/core-model/src/testing.ts'

const STEPS = [100, 200, 400, 800]
const ROUNDS = 20
const MOST_PER_DOUBLING = 2.3
const OUTPUT = 'x'.repeat(2000)

/** Counts the bytes that a store would write. */
class CountingStore implements TaskStore {
  bytes = 0

  append(_taskId: string, entries: readonly object[]): boolean {
    for (const entry of entries) this.bytes += writeJsonText(entry).length
    return true
  }

  load() {
    return null
  }

  list() {
    return []
  }

  delete() {}
}

/** A worker whose steps add one output to the state. */
function growingWorker(steps: number): AgentWorker {
  const run = async (step: TaskStep, task: Task, { durable, stepNumber = 1 }: StepOptions = {}) => {
    const content = await durable!(`step-${stepNumber}/tool-1`, async () => `${OUTPUT}${stepNumber}`)
    const sources = task.extraState['sources'] as ToolOutput[]
    sources.push(new ToolOutput({ content, toolName: 'look', rawInput: {}, rawOutput: content }))
    const isLast = stepNumber >= steps
    const nextSteps = isLast ? [] : [step.getNextStep(`s${stepNumber}`)]
    return new TaskStepOutput({
      output: new AgentChatResponse({ response: '', sources }),
      taskStep: step,
      nextSteps,
      isLast,
    })
  }
  return {
    callbackManager: null,
    setCallbackManager() {},
    getPrompts: () => ({}),
    updatePrompts() {},
    initializeStep({ taskId, extraState }) {
      extraState['sources'] = []
      return new TaskStep({ taskId, stepId: 's0' })
    },
    runStep: run,
    streamStep: run,
    finalizeTask() {},
  }
}

const look = FunctionTool.fromDefaults({
  name: 'look',
  schema: { type: 'object', properties: { i: { type: 'integer' } }, required: ['i'] },
  fn: ({ i }) => `${OUTPUT}${i}`,
})

function agentFor(steps: number, taskStore: TaskStore): AgentRunner {
  const calls = Array.from({ length: steps }, (_, i) => `Thought: I look.\nAction: look\nAction Input: {"i": ${i}}`)
  const llm = new ScriptedLLM({ answers: [...calls, 'Answer: done'] })
  return ReActAgent.fromTools({ llm, tools: [look], maxIterations: steps + 1, taskStore })
}

/** The least CPU time of several rounds, in milliseconds, and the bytes of one. */
async function measure(makeRunner: (store: TaskStore) => AgentRunner): Promise<{ time: number; bytes: number }> {
  let time = Number.POSITIVE_INFINITY
  let bytes = 0
  for (let round = 0; round < ROUNDS; round++) {
    const store = new CountingStore()
    const runner = makeRunner(store)
    const before = process.cpuUsage()
    await runner.chat('Go!')
    const { user, system } = process.cpuUsage(before)
    time = Math.min(time, (user + system) / 1000)
    bytes = store.bytes
  }
  return { time, bytes }
}

let missed = 0
let last: { time: number; bytes: number } | undefined
await measure((taskStore) => new AgentRunner({ agentWorker: growingWorker(400), taskStore }))
for (const steps of STEPS) {
  const saving = await measure((taskStore) => new AgentRunner({ agentWorker: growingWorker(steps), taskStore }))
  const agent = await measure((taskStore) => agentFor(steps, taskStore))
  const growth = last && { time: saving.time / last.time, bytes: saving.bytes / last.bytes }
  const isMet = !growth || (growth.time <= MOST_PER_DOUBLING && growth.bytes <= MOST_PER_DOUBLING)
  if (!isMet) missed++
  const shown = growth ? `, ${growth.time.toFixed(2)} and ${growth.bytes.toFixed(2)} times as much` : ''
  console.log(
    `${isMet ? 'ok  ' : 'MISS'} ${steps} steps: saving ${saving.time.toFixed(1)} ms, ${(saving.bytes / 1e6).toFixed(2)} MB${shown}; ` +
      `an agent ${agent.time.toFixed(1)} ms, ${(agent.bytes / 1e6).toFixed(2)} MB`,
  )
  last = saving
}
process.exitCode = missed > 0 ? 1 : 0
