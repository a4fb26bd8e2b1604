/** The functions of pipelines that are the steps of an agent. */
import { AgentChatResponse, type Task } from '@x/agents'
import type { Dict } from '@x/core-model'
import { inputTextOrStream } from '@x/core-model/components'
import { remember } from '../agents/custom-workers.ts'

type AgentInput = (task: Task, state: Dict) => unknown

/** The functions that start a step. */
export const agentInputs: Readonly<Record<string, AgentInput>> = {
  task_input: ({ input }) => ({ input }),
  count: ({ input }, { n = 0 }) => ({ q: input, n }),
  state_log: ({ input }, state) => ({ q: input, log: logOf(state).join(',') }),
  not_dict: () => 3,
}

function logOf({ log }: Dict): unknown[] {
  return Array.isArray(log) ? log : []
}

/** The answer of a step, and whether the task is done. */
const answer = (response: unknown, done: boolean) => [new AgentChatResponse({ response: String(response) }), done]

/** A function of the task, the state and the named inputs of a step. */
interface AgentFunction {
  required: readonly string[]
  run: (task: Task, state: Dict, inputs: Dict) => unknown
}

/** A function of one input, which may be a stream; it receives the text. */
function ofText(run: (text: string, task: Task, state: Dict) => unknown): AgentFunction {
  return {
    required: ['input'],
    run: async (task, state, { input }) => run(await inputTextOrStream(input), task, state),
  }
}

/** The functions that work on the state of a task. */
export const agentFunctions: Readonly<Record<string, (params: Dict) => AgentFunction>> = {
  finish_after: ({ limit }) => ({
    required: ['q', 'n'],
    run: (_task, state, { q }) => {
      const count = Number(state['n'] ?? 0) + 1
      state['n'] = count
      return answer(`${q}-${count}`, count >= Number(limit))
    },
  }),

  answer: () => ofText((text) => answer(text, true)),

  remember: () =>
    ofText((text, task, state) => {
      remember(state, 'user', task.input)
      remember(state, 'assistant', text)
      return answer(text, true)
    }),

  log_until: () =>
    ofText((text, _task, state) => {
      state['log'] = [...logOf(state), text]
      return answer(text, text.startsWith('DONE'))
    }),

  upper_in_state: () =>
    ofText((text, _task, state) => {
      state['up'] = text.toUpperCase()
      return state['up']
    }),

  not_pair: () => ({ required: ['input'], run: () => 'zzz' }),

  text_pair: () => ({ required: ['input'], run: () => ['hi', true] }),
}
