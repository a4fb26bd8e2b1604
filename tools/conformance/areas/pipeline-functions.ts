/** The functions and conditions of pipelines. */

import { AgentChatResponse, type Task } from '@x/agents'
import { ToolExecutionError } from '@x/agents/errors'
import type { Dict } from '@x/core-model'
import { inputTextOrStream } from '@x/core-model/components'
import { type Json, named } from '../given.ts'
import { sum } from '../stand-ins/tools.ts'
import { remember } from './agent-parts.ts'

/** A function of named inputs. */
interface PipelineFunction {
  required: readonly string[]
  optional?: readonly string[]
  run: (inputs: Dict) => unknown
}

/** A function of one input `x`. */
const unary = (run: (x: unknown) => unknown): PipelineFunction => ({ required: ['x'], run: ({ x }) => run(x) })

const binary = (run: (a: unknown, b: unknown) => unknown): PipelineFunction => ({
  required: ['a', 'b'],
  run: ({ a, b }) => run(a, b),
})

function text(x: unknown): string {
  if (typeof x !== 'string') throw new Error(`expected a string, received ${typeof x}`)
  return x
}

function items(x: unknown): unknown[] {
  if (!Array.isArray(x)) throw new Error(`expected a list, received ${typeof x}`)
  return x
}

/** The functions by name. */
export const functions: Readonly<Record<string, PipelineFunction>> = {
  add1: unary((x) => sum(x, 1)),
  add: binary(sum),
  mul10: unary((x) => Number(x) * 10),
  mul100: unary((x) => Number(x) * 100),
  concat: binary((a, b) => `${a}${b}`),
  upper: unary((x) => text(x).toUpperCase()),
  length: unary((x) => (typeof x === 'string' ? x : items(x)).length),
  identity: unary((x) => x),
  pair: { required: ['x', 'y'], run: ({ x, y }) => [x, y] },
  opt_add: { required: ['x'], optional: ['y'], run: ({ x, y = 5 }) => 10 * Number(x) + Number(y) },
  to_list: unary((x) => [x]),
  nothing: unary(() => null),
  to_obj: unary((x) => ({ v: x })),
  join: { required: ['items'], run: ({ items: list }) => items(list).join(',') },
  sum: {
    required: ['items'],
    run: ({ items: list }) => items(list).reduce((total: number, item) => total + Number(item), 0),
  },
  zero: { required: [], run: () => 0 },
  boom: unary(() => {
    throw new ToolExecutionError('boom', 'boom')
  }),
}

/** The function of one value, for packs and links. */
export function ofOneValue(name: string | undefined): ((value: unknown) => unknown) | undefined {
  if (name === undefined) return undefined
  const { run } = named(functions, name)
  return (x) => run({ x })
}

type Test = (value: unknown) => boolean

/** Compares numbers, or strings by their characters. */
function compare(value: unknown, wanted: unknown): number {
  if (typeof value === 'string' && typeof wanted === 'string') return value < wanted ? -1 : Number(value > wanted)
  return Number(value) - Number(wanted)
}

const conditions: Readonly<Record<string, (wanted: unknown) => Test>> = {
  gt: (wanted) => (value) => compare(value, wanted) > 0,
  lt: (wanted) => (value) => compare(value, wanted) < 0,
  ge: (wanted) => (value) => compare(value, wanted) >= 0,
  le: (wanted) => (value) => compare(value, wanted) <= 0,
  eq: (wanted) => (value) => value === wanted,
  ne: (wanted) => (value) => value !== wanted,
  always: () => () => true,
  never: () => () => false,
  truthy: () => (value) => Boolean(value),
  even: () => (value) => Number(value) % 2 === 0,
  odd: () => (value) => Number(value) % 2 !== 0,
  contains: (wanted) => (value) => text(value).includes(text(wanted)),
}

export const testOf = ({ op, value }: Json): Test => named(conditions, op)(value)

// The functions of pipelines that are the steps of an agent.

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
