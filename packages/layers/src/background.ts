/**
 * @module
 * Tasks in the background, whose ends join the conversation.
 */

import type { ToolCallContext } from '@x/agents'
import { type Layer, neutralized, type Scope } from '@x/agents/loop'
import { callback, checkOptions, flag, type OptionTable, text } from '@x/core/options'
import { errorMessage } from '@x/core/values'
import { ChatMessage, type Json, messageText } from '@x/core-model'
import { raceAbort } from '@x/core-model/async'
import type { DurableTasks } from '@x/durable'
import { FileError } from './errors.ts'
import { continued, hasUntrusted, mayContinue, once, output, stateOf, withTools } from './layer-parts.ts'
import { ownTool } from './own-tools.ts'

/** Options of {@link background}. */
interface BackgroundOptions {
  /** The name of the tool that starts a task. @defaultValue 'start_background_task' */
  name?: string | undefined
  /** What the agent in the background can do. @defaultValue '' */
  description?: string | undefined
  /** Returns the `context` of the tasks for that of a run, as JSON, such as the user. @defaultValue none */
  context?: ((context: never) => Json) | undefined
  /**
   * Whether a run does not end while tasks in the background run: it waits for the next one, and continues. Otherwise the ends join the next
   * run of the conversation. @defaultValue false
   */
  wait?: boolean | undefined
}

const OPTIONS: OptionTable<BackgroundOptions> = { name: text, description: text, context: callback, wait: flag }
const KEY = 'background'
const MARK = 'background_task'

/** The end of a task in the background. */
type End = Record<'ticket' | 'text', string> & { untrusted: boolean }

/**
 * Lets the agent start tasks in the background: the tool returns a ticket at once, and the end of the task joins the conversation as a message, at
 * the next step or in the next run, also after a restart. For models with native tool calls.
 * @param tasks - run the tasks: `StoredTasks`, or those of an engine.
 * @throws {ModelValidationError} if an option is unknown or not valid.
 */
export function background(tasks: DurableTasks, options: BackgroundOptions = {}): Layer {
  checkOptions('background', options, OPTIONS)
  const { name = 'start_background_task', description = '', context: contextOf, wait = false } = options
  const start = ownTool({
    name,
    description:
      `Starts a task in the background and returns its ticket at once. You receive a message when it has ended. ${description}`.trim(),
    schema: {
      type: 'object',
      properties: {
        task: { type: 'string', minLength: 1, description: 'The whole task: the other agent knows nothing else.' },
      },
      required: ['task'],
    },
    fn: async ({ task }, call) => {
      const { idempotencyKey, context } = call
      const given = contextOf && { context: contextOf(context as never) }
      // A call that is repeated finds the task that it has started.
      const ticket = await tasks.submit(await markedTask(task, call), {
        ...given,
        ...(idempotencyKey && { taskId: `${idempotencyKey}/background` }),
      })
      return output(`Started: ${JSON.stringify(ticket)}.`, { ticket })
    },
  })
  const stop = ownTool({
    name: 'stop_background_task',
    description: 'Stops a task in the background, by its ticket.',
    schema: { type: 'object', properties: { ticket: { type: 'string' } }, required: ['ticket'] },
    fn: async ({ ticket }, { task }) => {
      if (!openIn(task).includes(ticket)) throw new FileError(ticket, 'no task with this ticket runs')
      await tasks.cancel(ticket)
      return `Stopped: ${JSON.stringify(ticket)}.`
    },
  })
  const layer = withTools('background', [start, stop], ({ rawOutput }, { task }) => {
    const { ticket } = (rawOutput ?? {}) as { ticket?: string }
    if (ticket && !openIn(task).includes(ticket)) task.extraState[KEY] = [...openIn(task), ticket]
  })
  const ended = async ({ task }: Scope) => {
    const ends = await Promise.all(openIn(task).map((ticket) => endOf(tasks, ticket)))
    return ends.filter((end) => end !== undefined)
  }
  const firstEnd = async ({ task, signal }: Scope) => {
    // An error is an end too.
    await raceAbort(Promise.race(openIn(task).map((ticket) => tasks.answer(ticket).catch(() => {}))), signal)
  }
  return {
    ...layer,
    step: (next) => async (input, scope) => {
      const { task } = scope
      task.extraState[KEY] ??= startedIn(await task.memory.getAll(), name)
      await join(await once(scope, 'background', () => ended(scope)), scope)
      return next(input, scope)
    },
    record: (next) => async (turn, outputs, scope) => {
      if (!wait || !mayContinue(turn, scope) || openIn(scope.task).length === 0) return next(turn, outputs, scope)
      const ends = await once(scope, 'background-end', () => firstEnd(scope).then(() => ended(scope)))
      return continued([next, turn, outputs, scope], () => join(ends, scope))
    },
  }
}

/** Returns the message of a task, marked if it may come from text from outside. */
async function markedTask(content: string, call: Partial<ToolCallContext>): Promise<string | ChatMessage> {
  if (!(await hasUntrusted(call))) return content
  return new ChatMessage({ role: 'user', content, additionalKwargs: { untrusted: true } })
}

/** Returns the tickets of a task that have not ended. */
function openIn(task: { readonly extraState: object } | undefined): readonly string[] {
  return stateOf<readonly string[]>(task, KEY) ?? []
}

/** Returns the tickets of earlier runs of a conversation whose ends it does not have. */
function startedIn(messages: readonly ChatMessage[], name: string): string[] {
  const open = new Set<string>()
  for (const message of messages) {
    const { name: tool, [MARK]: ticket } = message.additionalKwargs
    const started = tool === name && /^Started: ("(?:[^"\\]|\\.)*")\.$/.exec(messageText(message))
    if (started) open.add(JSON.parse(started[1]!) as string)
    if (ticket) open.delete(ticket as string)
  }
  return [...open]
}

/** Returns the end of a task; undefined if it has not ended. */
async function endOf(tasks: DurableTasks, ticket: string): Promise<End | undefined> {
  const status = await tasks.status(ticket)
  if (!['finished', 'failed', 'cancelled'].includes(status)) return undefined
  try {
    const { response, sources } = await tasks.answer(ticket)
    return {
      ticket,
      text: response,
      untrusted: sources.some((source) => (source as { untrusted?: boolean }).untrusted),
    }
  } catch (error) {
    return { ticket, text: `It has no answer: ${errorMessage(error)}`, untrusted: false }
  }
}

/** Adds the ends of tasks to the messages. */
async function join(ends: readonly End[], scope: Scope): Promise<void> {
  const { task, loop } = scope
  for (const { ticket, text, untrusted } of ends) {
    const content = `The background task ${JSON.stringify(ticket)} has ended:\n${untrusted ? neutralized(text) : text}`
    const additionalKwargs = { [MARK]: ticket, ...(untrusted && { untrusted }) }
    await loop.acceptInput(new ChatMessage({ role: 'user', content, additionalKwargs }), scope)
    task.extraState[KEY] = openIn(task).filter((one) => one !== ticket)
  }
}
