/**
 * Measures what saving a task costs as it grows: the CPU time (with a store, less that without) and the bytes of its journal for 100, 200,
 * 400 and 800 steps, each with an output of 2 kB. The worker does nothing else, because a model that reads all messages
 * costs more with every step; an agent with tools shows the total.
 *
 * A sample of each size runs the same number of steps, in several tasks if they are short, so that each contains its share of garbage
 * collections. Samples of all sizes, with and without a store, take turns. The least of each counts, because other load only adds to them.
 * Exits with 1 when time or bytes grow by more than 2.3 in one of the doublings.
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
} from '../packages/agents/src/index.ts'
import { type TaskStore, ToolOutput, writeJsonText } from '../packages/core-model/src/index.ts'
import { ScriptedLLM } from '../packages/core-model/src/testing.ts'

const STEPS = [100, 200, 400, 800]
const ROUNDS = 15
const STEPS_PER_SAMPLE = 3200
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

/** The CPU time of this thread for a run, in milliseconds, on average over a sample. */
async function timeOf(steps: number, makeRunner: () => AgentRunner): Promise<number> {
  const runs = STEPS_PER_SAMPLE / steps
  const before = process.threadCpuUsage()
  for (let run = 0; run < runs; run++) await makeRunner().chat('Go!')
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000 / runs
}

async function bytesOf(makeRunner: (taskStore: TaskStore) => AgentRunner): Promise<number> {
  const store = new CountingStore()
  await makeRunner(store).chat('Go!')
  return store.bytes
}

const growing = (steps: number, taskStore?: TaskStore) =>
  new AgentRunner({ agentWorker: growingWorker(steps), taskStore })

const sizes = STEPS.map((steps) => ({ steps, without: [] as number[], within: [] as number[], agent: [] as number[] }))
// The first round is not counted.
for (let round = 0; round <= ROUNDS; round++) {
  for (const { steps, without, within, agent } of sizes) {
    const times = [
      await timeOf(steps, () => growing(steps)),
      await timeOf(steps, () => growing(steps, new CountingStore())),
    ]
    if (round === 0) continue
    without.push(times[0]!)
    within.push(times[1]!)
    if (round % 5 === 0) agent.push(await timeOf(steps, () => agentFor(steps, new CountingStore())))
  }
}
const costs: { time: number; bytes: number }[] = []
for (const { steps, without, within, agent } of sizes) {
  const cost = {
    time: Math.min(...within) - Math.min(...without),
    bytes: await bytesOf((store) => growing(steps, store)),
  }
  costs.push(cost)
  const agentBytes = await bytesOf((store) => agentFor(steps, store))
  console.log(
    `${steps} steps: saving ${cost.time.toFixed(1)} ms, ${(cost.bytes / 1e6).toFixed(2)} MB; ` +
      `a ReAct agent that saves ${Math.min(...agent).toFixed(1)} ms, ${(agentBytes / 1e6).toFixed(2)} MB`,
  )
}
let missed = 0
for (const what of ['time', 'bytes'] as const) {
  const factors = costs.slice(1).map((cost, i) => cost[what] / costs[i]![what])
  const isMet = factors.every((factor) => factor <= MOST_PER_DOUBLING)
  if (!isMet) missed++
  const each = factors.map((factor) => factor.toFixed(2)).join(', ')
  console.log(`${isMet ? 'ok  ' : 'MISS'} ${what} per doubling: ${each} (bar ${MOST_PER_DOUBLING})`)
}
process.exitCode = missed > 0 ? 1 : 0
