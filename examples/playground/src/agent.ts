/** The agent of the page. A task is its saved JSON: each action loads it, acts, and saves it again, as a server without memory would. */
import { type AgentEvent, FunctionTool, journal, type PendingToolCall, ReActAgent } from '@x/agents'
import type { BaseLLM } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { OpenAI } from '@x/openai'
import type { AgentState, ModelChoice, NamedTask, ToolData } from './state.ts'

/** A model that answers by the number of its turns, so that a step that was undone has the same reply. */
const scriptOf = (script: readonly string[]) =>
  new ScriptedLLM({
    answers: (messages) => {
      const turn = messages.filter(({ role }) => role === 'assistant').length
      return script[turn] ?? 'Answer: The script has no further reply.'
    },
  })

/** Returns the tools. */
const toolsOf = (tools: readonly ToolData[]): FunctionTool[] =>
  tools.map(({ result, schema, ...options }) =>
    FunctionTool.fromDefaults({ ...options, schema, fn: (args: Record<string, unknown>) => filledIn(result, args) }),
  )

/** Returns a template with the arguments of a call filled in. */
export const filledIn = (text: string, args: Record<string, unknown>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => (name in args ? String(args[name]) : whole))

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
  { question, model, script, tools }: AgentState,
  { saved }: NamedTask,
  apiKey: string,
  action?: Action,
  onEvent?: (event: AgentEvent) => void,
): Promise<TaskView> {
  const llm = modelOf(model, script, apiKey)
  const agent = ReActAgent.fromTools({ llm, tools: toolsOf(tools), taskStore: journal() })
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
  const agent = ReActAgent.fromTools({
    llm: scriptOf(state.script),
    tools: toolsOf(state.tools),
    taskStore: journal(),
  })
  const { taskId } = await agent.loadTask(saved)
  return agent.saveTask((await agent.forkTask(taskId)).taskId)
}
