/**
 * @module
 * Tasks in the background, whose ends join the conversation.
 */
import { type Layer, neutralized, type Scope } from '@x/agents/loop'
import { hasUntrusted, plainTool } from '@x/agents/protocol'
import { callback, checkOptions, flag, type OptionTable, text as string } from '@x/core/options'
import { errorMessage } from '@x/core/values'
import { ChatMessage, type Dict, isToolkitError, type Json, messageText } from '@x/core-model'
import { raceAbort } from '@x/core-model/async'
import type { DurableTasks } from '@x/durable'
import { FileError } from './errors.ts'
import { arrivalIn, incoming, join, stateOf, text, withTools, word } from './layer-parts.ts'

/** Options of {@link background}. */
interface BackgroundOptions {
  /** The name of the tool that starts a task. @defaultValue 'start_background_task' */
  name?: string | undefined
  /** What the agent in the background can do. @defaultValue '' */
  description?: string | undefined
  /** Returns the `context` of the tasks for that of a run, as JSON, such as the user. @defaultValue none */
  context?: ((context: never) => Json | object) | undefined
  /**
   * Whether a run does not end while tasks in the background run: it waits for the next one, or a message of the layer `steer`, and
   * continues. Otherwise the ends join the next run of the conversation. @defaultValue false
   */
  wait?: boolean | undefined
}

const OPTIONS: OptionTable<BackgroundOptions> = { name: string, description: string, context: callback, wait: flag }
const KEY = 'background'
const MARK = 'background_task'

/** Returns the tickets of a task that have not ended. */
function openIn(task: { readonly extraState: object } | undefined): readonly string[] {
  return stateOf<readonly string[]>(task, KEY, [])
}

/**
 * Lets the agent start tasks in the background: the tool returns a ticket at once, and the end of the task joins the conversation as a
 * message, at the next step or in the next run, also after a restart. For models with native tool calls.
 * @param tasks - run the tasks: `StoredTasks`, or those of an engine.
 * @throws {ModelValidationError} if an option is unknown or not valid.
 */
export function background(tasks: DurableTasks, options: BackgroundOptions = {}): Layer {
  checkOptions('background', options, OPTIONS)
  const { name = 'start_background_task', description = '', context: contextOf, wait = false } = options
  const start = plainTool({
    name,
    description:
      `Starts a task in the background and returns its ticket. Describe the whole task: the other agent knows nothing else. You receive a message at its end. ${description}`.trim(),
    needed: { task: word },
    fn: async ({ task: content }, { idempotencyKey, context, task }) => {
      const isOutside = await hasUntrusted(task)
      const message = new ChatMessage({ role: 'user', content, additionalKwargs: { untrusted: true } })
      // A call that is repeated finds the task that it has started.
      const ticket = await tasks.submit(isOutside ? message : content, {
        ...(contextOf && { context: contextOf(context as never) }),
        ...(idempotencyKey && { taskId: `${idempotencyKey}/background` }),
        startedBy: task?.taskId,
      })
      return { content: `Started: ${JSON.stringify(ticket)}.`, rawOutput: { ticket } }
    },
  })
  const stop = plainTool({
    name: 'stop_background_task',
    description: 'Stops a task in the background, by its ticket.',
    needed: { ticket: text },
    fn: async ({ ticket }, { task }) => {
      if (!openIn(task).includes(ticket)) throw new FileError(ticket, 'no task with this ticket runs')
      await tasks.cancel(ticket)
      return `Stopped: ${JSON.stringify(ticket)}.`
    },
  })
  const ended = async ({ task }: Scope): Promise<End[]> => {
    const ends = await Promise.all(openIn(task).map((ticket) => endOf(tasks, ticket)))
    return ends.filter((end) => end !== undefined)
  }
  const ends = incoming('background', ended, joined, async (scope) => {
    const open = openIn(scope.task)
    if (!wait || open.length === 0) return []
    const reading = new AbortController()
    const options = { inPlaceOf: scope.task.taskId, signal: reading.signal }
    // The run goes on, so that the model reads the message.
    const message = arrivalIn(scope)?.(reading.signal).then((): End[] => [{}])
    // An error is an end too.
    const answers = open.map((ticket) => tasks.answer(ticket, options).then(none, none))
    const first = Promise.race(message ? [...answers, message] : answers)
    const next = await Promise.resolve(raceAbort(first, scope.signal)).finally(() => reading.abort())
    const ends = await ended(scope)
    return ends.length > 0 ? ends : next
  })
  return {
    ...withTools('background', [start, stop], (made, { task }) => {
      const { ticket } = Object(made) as { ticket?: string }
      if (ticket) task.extraState[KEY] = [...new Set([...openIn(task), ticket])]
    }),
    ...ends,
    step: (next) => async (input, scope) => {
      const { task } = scope
      task.extraState[KEY] ??= startedIn(await task.memory.getAll(), name)
      return ends.step!(next)(input, scope)
    },
  }
}

/** Returns the tickets of earlier runs of a conversation whose ends it does not have. */
function startedIn(messages: readonly ChatMessage[], name: string): string[] {
  const open = new Set<string>()
  for (const message of messages) {
    const { name: tool, [MARK]: ticket } = message.additionalKwargs
    const started = tool === name && /^Started: ("(?:[^"\\]|\\.)*")\.$/.exec(messageText(message))
    if (started) open.add(JSON.parse(started[1]!) as string)
    open.delete(ticket as string)
  }
  return [...open]
}

/** Returns the message about the end of a task, or that it was deleted; undefined if it has not ended. */
async function endOf(tasks: DurableTasks, ticket: string) {
  try {
    if (!['finished', 'failed', 'cancelled'].includes(await tasks.status(ticket))) return undefined
  } catch (error) {
    if (!isToolkitError(error, 'task_not_found')) throw error
  }
  try {
    const { response, sources } = await tasks.answer(ticket)
    const untrusted = sources.some((source) => source.untrusted)
    return ending(ticket, untrusted ? neutralized(response) : response, untrusted && { untrusted })
  } catch (error) {
    return ending(ticket, `It has no answer: ${errorMessage(error)}`)
  }
}

function ending(ticket: string, text: string, mark: object | false = {}): End {
  const content = `The background task ${JSON.stringify(ticket)} has ended:\n${text}`
  const additionalKwargs = { [MARK]: ticket, ...mark }
  return { ticket, message: new ChatMessage({ role: 'user', content, additionalKwargs }).toDict() }
}

/** The end of a task; empty if the run goes on for another reason. */
type End = { ticket?: string; message?: Dict }
const none = (): End[] => []

/** Adds the ends of tasks to the messages. */
async function joined(ends: readonly End[], scope: Scope): Promise<void> {
  const { task } = scope
  for (const { ticket, message } of ends) {
    if (!message) continue
    await join(message, scope)
    task.extraState[KEY] = openIn(task).filter((one) => one !== ticket)
  }
}
