/**
 * @module
 * A to-do list that the model keeps.
 */
import type { Layer } from '@x/agents/loop'
import { plainTool } from '@x/agents/protocol'
import { ChatMessage, messageText } from '@x/core-model'
import { stateOf, withTools, word } from './layer-parts.ts'

/** An item of a to-do list. */
export interface Todo {
  content: string
  status: 'pending' | 'in_progress' | 'completed'
}

const KEY = 'todos'
const NAME = 'write_todos'
const HEAD = 'To-do list:\n'
const MARKS = { pending: '[ ]', in_progress: '[~]', completed: '[x]' }
const STATUSES = Object.keys(MARKS) as Todo['status'][]

/** Returns the to-do list of a task. */
export function todosOf(task: { readonly extraState: object } | undefined): readonly Todo[] {
  return stateOf<readonly Todo[]>(task, KEY, [])
}

/**
 * Adds a to-do list and the tool `write_todos`, which replaces it. The list is part of the state of the task, and of each request
 * until everything is done; the next task of the conversation continues with it. A page receives it as the `output` of the event
 * `tool_result`.
 */
export function todo(): Layer {
  const properties = { content: word, status: { type: 'string', enum: STATUSES } } as const
  const write = plainTool({
    name: NAME,
    description:
      'Replaces your to-do list. For work of three or more steps: write all steps first, mark one as in_progress before you begin it, as completed as soon as it is done.',
    needed: {
      todos: { type: 'array', items: { type: 'object', properties, required: ['content', 'status'] } },
    },
    sequential: true,
    fn: ({ todos }) => {
      const list = todos.map(({ content, status }) => ({ content: content.replace(/\s+/g, ' ').trim(), status }))
      return { content: textOf(list), rawOutput: list }
    },
  })
  return {
    ...withTools('todo', [write], (list, { task }) => {
      task.extraState[KEY] = list
    }),
    request: (next) => async (plan, scope) => {
      const { task, mustAnswer } = scope
      task.extraState[KEY] ??= earlierTodos(await task.memory.getAll())
      const request = await next(plan, scope)
      const todos = todosOf(task)
      if (mustAnswer || todos.every(({ status }) => status === 'completed')) return request
      // At the end, so that the messages before it can be cached.
      return { ...request, messages: [...request.messages, new ChatMessage({ role: 'user', content: textOf(todos) })] }
    },
  }
}

function textOf(todos: readonly Todo[]): string {
  return HEAD + todos.map(({ content, status }) => `${MARKS[status]} ${content}`).join('\n')
}

/** Returns the list that earlier messages of the conversation end with. */
function earlierTodos(messages: readonly ChatMessage[]): Todo[] {
  const last = messages
    .filter(({ additionalKwargs }) => additionalKwargs['name'] === NAME)
    .map(messageText)
    .findLast((content) => content.startsWith(HEAD))
  return (last ?? '').split('\n').flatMap((row) => {
    const status = STATUSES.find((one) => row.startsWith(MARKS[one]))
    return status ? [{ content: row.slice(4), status }] : []
  })
}
