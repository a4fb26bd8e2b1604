/** The agent of the page. A task is its saved JSON: each action loads it, acts, and saves it again, as a server without memory would. */
import { type AgentEvent, FunctionTool, journal, type PendingToolCall, ReActAgent } from '@x/agents'
import type { BaseLLM } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { OpenAI } from '@x/openai'
import type { AgentState, ModelChoice, NamedTask } from './state.ts'

/** A model that answers by the number of its turns, so that a step that was undone has the same reply. */
const scriptOf = (script: readonly string[]) =>
  new ScriptedLLM({
    answers: (messages) => {
      const turn = messages.filter(({ role }) => role === 'assistant').length
      return script[turn] ?? 'Answer: The script has no further reply.'
    },
  })

const strings = <Name extends string>(...names: Name[]) => ({
  type: 'object' as const,
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) as Record<Name, { type: 'string' }>,
  required: names,
})

/** The tools. `send` needs approval. */
const tools = [
  FunctionTool.fromDefaults({
    name: 'price',
    description: 'Returns the price of a fruit, in EUR.',
    schema: strings('fruit'),
    fn: ({ fruit }) => (fruit === 'pear' ? '3' : '2'),
  }),
  FunctionTool.fromDefaults({
    name: 'send',
    description: 'Sends a message to an address.',
    schema: strings('to', 'text'),
    needsApproval: true,
    fn: ({ to, text }) => `Sent to ${to}: ${text}`,
  }),
]

function modelOf({ kind, baseUrl, model }: ModelChoice, script: readonly string[], apiKey: string): BaseLLM {
  return kind === 'script' ? scriptOf(script) : new OpenAI({ baseUrl, model, apiKey: apiKey || 'none' })
}

/** What the page shows of a task. */
export interface TaskView {
  steps: string[]
  waiting: readonly PendingToolCall[]
  answer: string | null
  saved: unknown
}

export type Action =
  | { do: 'step' }
  | { do: 'undo' }
  | { do: 'approve'; callId: string }
  | { do: 'reject'; callId: string; reason: string }
  | { do: 'edit'; callId: string; args: Record<string, unknown> }

/** Acts on a task; without an action, only shows it. @param apiKey - of the server of the model. */
export async function act(
  { question, model, script }: AgentState,
  { saved }: NamedTask,
  apiKey: string,
  action?: Action,
  onEvent?: (event: AgentEvent) => void,
): Promise<TaskView> {
  const llm = modelOf(model, script, apiKey)
  const agent = ReActAgent.fromTools({ llm, tools, taskStore: journal() })
  const { taskId } = saved === null ? await agent.createTask(question) : await agent.loadTask(saved)
  await run(agent, taskId, action, onEvent)
  const done = agent.getCompletedSteps(taskId)
  const last = done.at(-1)
  return {
    steps: done.map(String),
    waiting: agent.getPendingApprovals(taskId),
    answer: last?.isLast ? String(last) : null,
    saved: saved === null && action === undefined ? null : agent.saveTask(taskId),
  }
}

async function run(
  agent: ReActAgent,
  taskId: string,
  action: Action | undefined,
  onEvent: ((event: AgentEvent) => void) | undefined,
): Promise<void> {
  if (action?.do === 'step') await agent.runStep(taskId, { onEvent })
  if (action?.do === 'undo') await agent.undoStep(taskId)
  if (action?.do === 'approve') await agent.approve(taskId, action.callId, { by: 'the page' })
  if (action?.do === 'reject') await agent.reject(taskId, action.callId, action.reason, { by: 'the page' })
  if (action?.do === 'edit') await agent.edit(taskId, action.callId, action.args, { by: 'the page' })
}

/** Returns a copy of a task that continues on its own. */
export async function forked(state: AgentState, { saved }: NamedTask): Promise<unknown> {
  const agent = ReActAgent.fromTools({ llm: scriptOf(state.script), tools, taskStore: journal() })
  const { taskId } = await agent.loadTask(saved)
  return agent.saveTask((await agent.forkTask(taskId)).taskId)
}
