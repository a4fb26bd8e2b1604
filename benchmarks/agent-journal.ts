/**
 * Measures what saving a task costs as it grows: the CPU time (with a store, less that without) and the bytes of its journal for 100, 200,
 * 400 and 800 steps, each with an output of 2 kB. A worker that does nothing else shows the growth; an agent with tools shows the total.
 * Exits with 1 when time or bytes grow by more than 2.3 per doubling on average.
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

/** The least CPU time of several rounds, in milliseconds. */
async function timeOf(makeRunner: () => AgentRunner): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const runner = makeRunner()
    const before = process.cpuUsage()
    await runner.chat('Go!')
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

/** What saving costs: the time of runs with a store, less that of runs without, and the bytes of one run. */
async function costOf(makeRunner: (taskStore?: TaskStore) => AgentRunner): Promise<{ time: number; bytes: number }> {
  const store = new CountingStore()
  await makeRunner(store).chat('Go!')
  const { bytes } = store
  return { time: (await timeOf(() => makeRunner(store))) - (await timeOf(() => makeRunner())), bytes }
}

const growing = (steps: number) => (taskStore?: TaskStore) =>
  new AgentRunner({ agentWorker: growingWorker(steps), taskStore })
await costOf(growing(400))
const costs: { time: number; bytes: number }[] = []
for (const steps of STEPS) {
  const cost = await costOf(growing(steps))
  costs.push(cost)
  const store = new CountingStore()
  const agent = await timeOf(() => agentFor(steps, store))
  console.log(
    `${steps} steps: saving ${cost.time.toFixed(1)} ms, ${(cost.bytes / 1e6).toFixed(2)} MB; ` +
      `a ReAct agent that saves ${agent.toFixed(1)} ms, ${(store.bytes / ROUNDS / 1e6).toFixed(2)} MB`,
  )
}
let missed = 0
for (const what of ['time', 'bytes'] as const) {
  const growth = (costs.at(-1)![what] / costs[0]![what]) ** (1 / (STEPS.length - 1))
  const isMet = growth <= MOST_PER_DOUBLING
  if (!isMet) missed++
  console.log(
    `${isMet ? 'ok  ' : 'MISS'} ${what} per doubling, on average: ${growth.toFixed(2)} (bar ${MOST_PER_DOUBLING})`,
  )
}
process.exitCode = missed > 0 ? 1 : 0
