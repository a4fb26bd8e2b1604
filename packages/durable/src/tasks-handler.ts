/**
 * @module
 * Durable tasks over HTTP, on the `Request` and `Response` of the web platform.
 */
import type { ToolDecision } from '@x/agents'
import { ApprovalError } from '@x/agents/errors'
import { outputJson, readToolDecision } from '@x/agents/protocol'
import { callback, checkOptions, type OptionTable, required, text, wholeNumber } from '@x/core/options'
import { jsonOr } from '@x/core/values'
import { ConfigurationError, isToolkitError, type MessageContent } from '@x/core-model'
import { interruptible } from '@x/core-model/async'
import { type AskedDecision, askedDecision } from './asked-decision.ts'
import { UnsupportedOperationError } from './durable-errors.ts'
import type { DurableTasks, ForkTaskOptions, SubmitTaskOptions, TaskOverview, TaskStatus } from './durable-tasks.ts'
import { checkFiles, linesResponse, requestText, type SubmittedFile } from './http.ts'
import { waitingCall } from './task-decisions.ts'
import type { TaskEvents } from './task-events.ts'

/** An operation of {@link tasksHandler}. */
export type TaskOperation = 'submit' | 'list' | 'look' | 'answer' | 'events' | 'decide' | 'cancel' | 'retry' | 'fork'

/** Whether the sender of a request may do something. With `idFor`, it also decides the ids of tasks. */
export interface MayUse {
  (request: Request, use: { operation: TaskOperation; taskId: string | undefined }): boolean | Promise<boolean>
  /** Returns the id of a task of the sender; undefined if the request has no user. */
  idFor?(request: Request, id: string | undefined): Promise<string | undefined>
  /** Returns the user whose tasks a list has. @defaultValue a list has each task for which the operation `look` is allowed */
  userOf?(request: Request): Promise<string | undefined>
}

type ContextJson = SubmitTaskOptions['context']

/** Options of {@link tasksHandler}. */
interface TasksHandlerOptions {
  /**
   * Whether the sender of a request may do this. `taskId` is the one of the path, and of a new task undefined unless the sender chose it;
   * that of a list is undefined. A fork with an id that the sender chose is asked for as `submit` too. Read the user from the request, for
   * example from its cookie. `ownedBy` restricts each user to their tasks; never compare the beginning of an id: `user-1` would have the
   * tasks of `user-12`.
   */
  mayUse: MayUse
  /** Returns the context of a new task, such as the user. It never comes from the sender. @defaultValue none */
  context?: ((request: Request) => ContextJson | Promise<ContextJson>) | undefined
  /** Returns who decides, for the journal: `by` of a decision, which never comes from the sender. @defaultValue nobody */
  by?: ((request: Request) => string | undefined | Promise<string | undefined>) | undefined
  /**
   * Whether the sender of a request may make a decision about a call that waits; every value other than `true` refuses it with status 403.
   * `arguments` are what the tool would receive, with default values and conversions: a limit applies to edited ones too. Whoever may use
   * the task at all is what `mayUse` says. With it, `always` is refused: the arguments of later calls would not be judged.
   * @defaultValue all decisions
   */
  mayDecide?: ((decision: AskedDecision, request: Request) => boolean | Promise<boolean>) | undefined
  /** The path of the tasks. @defaultValue '/tasks' */
  path?: string | undefined
  /** The most bytes of a body. @defaultValue 1,000,000 */
  maxBodyBytes?: number | undefined
  /**
   * Whether an image or a file of a new task may be used. The provider of the model may read its address. @defaultValue `data:` addresses,
   * and `https:` ones of public hosts; see `checkFiles`
   */
  allowFile?: ((file: SubmittedFile, request: Request) => boolean) | undefined
  /** Receives the errors of requests that are answered with status 500, such as those of the store, for your logs. */
  logError?: ((error: unknown, request: Request) => void) | undefined
}

const OPTIONS: OptionTable<TasksHandlerOptions> = {
  mayUse: required(callback),
  context: callback,
  by: callback,
  mayDecide: callback,
  path: text,
  maxBodyBytes: wholeNumber(1),
  allowFile: callback,
  logError: callback,
}

/** The statuses of errors whose message is for the sender. */
const STATUS: Readonly<Record<string, number>> = {
  approval: 409,
  configuration: 400,
  invalid_step: 400,
  model_validation: 400,
  task_already_exists: 409,
  task_busy: 409,
  task_cancelled: 409,
  task_finalized: 409,
  task_not_found: 404,
  unsupported_operation: 501,
}

/**
 * Returns a handler for tasks over HTTP, for any server of the web platform and any engine.
 *
 * | Request | Response |
 * |---|---|
 * | `POST /tasks` with `{ input, taskId? }` | 201 `{ taskId }`; of a known `taskId` too, whose task stays as it is |
 * | `GET /tasks`, maybe with `?status=waiting` | `{ tasks }` that the sender may see: those that have not ended, or those of one state; each is a `TaskOverview` |
 * | `GET /tasks/:id` | `{ taskId, status, calls, version? }`: if it is queued, the version of the workers that it waits for |
 * | `GET /tasks/:id/answer` | the answer, when the task ends; 422 `{ code, message }` if it fails, 409 if it was cancelled |
 * | `GET /tasks/:id/events` | server-sent events: `TaskEvents` with their number as `id`, then `end` or `error`; `Last-Event-ID` continues |
 * | `POST /tasks/:id/decide` with a decision | 204 |
 * | `POST /tasks/:id/cancel`, `/retry` | 204 |
 * | `POST /tasks/:id/fork` with `{ atStep?, taskId? }` | 201 `{ taskId }` |
 *
 * Errors are `{ code, message }` with a suitable status; causes, and why no worker can run a task, are for your logs alone. Images and
 * files of an input must have addresses that `allowFile` allows. Bodies must have the type `application/json`, so that the pages of other
 * sites cannot send them.
 * @throws {ModelValidationError} if an option is unknown, missing or not valid.
 * @example
 * import { MemoryTaskStore } from '@x/agents'
 * const tasks = new StoredTasks({ store: new MemoryTaskStore() })
 * const handle = tasksHandler(tasks, { mayUse: ownedBy((request) => request.headers.get('x-user')) })
 * const send = (body: object) =>
 *   new Request('http://localhost/tasks', {
 *     method: 'POST',
 *     headers: { 'content-type': 'application/json', 'x-user': 'ann' },
 *     body: JSON.stringify(body),
 *   })
 * const response = await handle(send({ input: 'Pay!', taskId: 'rent' }))
 * response.status // => 201
 * await tasks.status(ownedId('ann', 'rent')) // => 'queued'
 */
export function tasksHandler(
  tasks: DurableTasks,
  options: TasksHandlerOptions,
): (request: Request) => Promise<Response> {
  checkOptions('tasksHandler', options, OPTIONS)
  return async (request) => {
    try {
      return await respond(tasks, options, request)
    } catch (error) {
      const response = errorResponse(error)
      if (response.status === 500) options.logError?.(error, request)
      return response
    }
  }
}

async function respond(tasks: DurableTasks, options: TasksHandlerOptions, request: Request): Promise<Response> {
  const { path = '/tasks', maxBodyBytes = 1_000_000, mayUse, context, allowFile } = options
  const { method } = request
  const { pathname } = new URL(request.url)
  const rest = pathname === path ? '' : pathname.startsWith(`${path}/`) ? pathname.slice(path.length) : undefined
  const [, encoded, verb = ''] = /^\/([^/]+)(?:\/([a-z]+))?$/.exec(rest ?? '') ?? []
  const operation = operationOf(method, rest, encoded, verb)
  if (!operation) return refusal(404, 'not_found', `${method} ${pathname} is not an operation on tasks.`)
  const body = method === 'POST' ? await bodyOf(request, maxBodyBytes) : {}
  if (body === null) return refusal(413, 'body_too_large', `A body may have at most ${maxBodyBytes} bytes.`)
  const sent = operation === 'submit' ? (body as { taskId?: unknown }).taskId : decoded(encoded)
  checkSent(sent)
  const idFor = mayUse.idFor && (async (id: string | undefined) => mayUse.idFor!(request, id))
  const own = idFor ? await idFor(sent) : sent
  if (idFor && own === undefined) return refusal(401, 'unauthorized', 'The request has no user.')
  if (!(await mayUse(request, { operation, taskId: operation === 'list' ? undefined : own })))
    return refusal(403, 'forbidden', `You may not use this task (${operation}).`)
  if (operation === 'list') return listResponse(tasks, mayUse, request)
  if (operation === 'submit') {
    const { input } = body as { input?: MessageContent }
    if (typeof input !== 'string' && !Array.isArray(input))
      throw new ConfigurationError('input: expected a string or content parts.')
    checkFiles('input', input, allowFile && ((file) => allowFile(file, request)))
    const taskId = await tasks.submit(input, { taskId: own, context: await context?.(request) })
    return Response.json({ taskId }, { status: 201 })
  }
  const taskId = own ?? ''
  switch (operation) {
    case 'look': {
      const status = await tasks.status(taskId)
      const version = status === 'queued' ? await tasks.version?.(taskId) : undefined
      return Response.json({ taskId, status, calls: await tasks.waiting(taskId), version })
    }
    case 'answer':
      return answerResponse(tasks, taskId)
    case 'events':
      return eventsResponse(tasks, taskId, request)
    case 'fork': {
      const given = forkOf(body)
      const fork = idFor ? { ...given, taskId: await idFor(given.taskId) } : given
      // An id that the sender chose is that of a new task.
      if (fork.taskId !== undefined && !(await mayUse(request, { operation: 'submit', taskId: fork.taskId })))
        return refusal(403, 'forbidden', 'You may not use this task (submit).')
      return Response.json({ taskId: await tasks.fork(taskId, fork) }, { status: 201 })
    }
    case 'decide': {
      const given = { ...(body as ToolDecision), by: await options.by?.(request) }
      const { mayDecide } = options
      const decision = await allowed(tasks, taskId, given, mayDecide && ((asked) => mayDecide(asked, request)))
      if (!decision) return refusal(403, 'decision_refused', 'The user may not decide about this call.')
      await tasks.decide(taskId, decision)
      break
    }
    default:
      await tasks[operation](taskId)
  }
  return new Response(null, { status: 204 })
}

/** Returns a decision that may be made: a judged one about the question that was judged alone; undefined if it may not. */
async function allowed(
  tasks: DurableTasks,
  taskId: string,
  given: ToolDecision,
  mayDecide: ((asked: AskedDecision) => boolean | Promise<boolean>) | undefined,
): Promise<ToolDecision | undefined> {
  readToolDecision(given)
  if (!mayDecide && given.type !== 'result') return given
  const call = waitingCall(taskId, await tasks.waiting(taskId), given)
  // Only your own code may say what a tool has returned that runs here.
  if (given.type === 'result' && call.awaits !== 'result')
    throw new ApprovalError(`Task "${taskId}": the call "${call.id}" waits for an approval, not for a result.`)
  if (!mayDecide) return given
  const asked = askedDecision(taskId, call, given)
  const { approvalId = call.approvalId } = given
  if ((await mayDecide(asked)) !== true) return undefined
  return { ...asked.decision, ...(approvalId !== undefined && { approvalId }) }
}

/** Reads the options of a fork. @throws {ConfigurationError} */
function forkOf(body: object): ForkTaskOptions {
  const { atStep, taskId } = body as Record<keyof ForkTaskOptions, unknown>
  if (atStep !== undefined && !Number.isSafeInteger(atStep))
    throw new ConfigurationError('atStep: expected an integer.')
  checkSent(taskId)
  return { ...(atStep !== undefined && { atStep: Number(atStep) }), ...(taskId !== undefined && { taskId }) }
}

/** Checks the id of a task. With its owner, an empty one would be one and the same for all requests. */
function checkSent(taskId: unknown): asserts taskId is string | undefined {
  if (taskId !== undefined && (typeof taskId !== 'string' || taskId === ''))
    throw new ConfigurationError('taskId: expected a string with at least one character.')
}

const READS: Readonly<Record<string, TaskOperation>> = { '': 'look', answer: 'answer', events: 'events' }
const WRITES: Readonly<Record<string, TaskOperation>> = {
  decide: 'decide',
  cancel: 'cancel',
  retry: 'retry',
  fork: 'fork',
}

function operationOf(
  method: string,
  rest: string | undefined,
  taskId: string | undefined,
  verb: string,
): TaskOperation | undefined {
  if (rest === '') return method === 'POST' ? 'submit' : method === 'GET' ? 'list' : undefined
  const known = method === 'GET' ? READS : method === 'POST' ? WRITES : {}
  return taskId !== undefined && Object.hasOwn(known, verb) ? known[verb] : undefined
}

function decoded(id: string | undefined): string | undefined {
  try {
    return id && decodeURIComponent(id)
  } catch {
    throw new ConfigurationError(`taskId: "${id}" is not a part of a path.`)
  }
}

/** Reads the JSON object of a body; an empty body is an empty object. Null if the body has more bytes. */
async function bodyOf(request: Request, maxBytes: number): Promise<object | null> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/json\s*(;|$)/i.test(type))
    throw new ConfigurationError('The content-type of a body must be application/json.')
  const content = await requestText(request, maxBytes)
  if (content === null) return null
  const data = jsonOr(content === '' ? '{}' : content)
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw new ConfigurationError('The body must be a JSON object.')
  return data
}

/** The message of tasks whose own may contain addresses and paths of the server. */
const CANNOT_RUN = 'The task cannot be run.'

function shownTask({ problem, ...task }: TaskOverview): TaskOverview {
  if (!problem) return task
  const { name, code, message } = problem
  // `answer` has the message of one that failed.
  const isShown = task.status === 'failed' || STATUS[code]
  return { ...task, problem: { name, code, message: isShown ? message : CANNOT_RUN } }
}

/** Returns the tasks that the sender may see. */
async function listResponse(tasks: DurableTasks, mayUse: MayUse, request: Request): Promise<Response> {
  if (!tasks.list) throw new UnsupportedOperationError('tasksHandler', 'list', 'this engine cannot list tasks.')
  const status = (new URL(request.url).searchParams.get('status') ?? undefined) as TaskStatus | undefined
  if (mayUse.userOf) {
    const user = await mayUse.userOf(request)
    return Response.json({ tasks: (await tasks.list({ status, user: user as string })).map(shownTask) })
  }
  const found: TaskOverview[] = []
  for (const task of await tasks.list({ status }))
    if (await mayUse(request, { operation: 'look', taskId: task.taskId })) found.push(shownTask(task))
  return Response.json({ tasks: found })
}

async function answerResponse(tasks: DurableTasks, taskId: string): Promise<Response> {
  // Errors of the engine itself are not those of the task.
  await tasks.status(taskId)
  try {
    return Response.json(outputJson(await tasks.answer(taskId)))
  } catch (error) {
    if ((await tasks.status(taskId)) !== 'failed') throw error
    const { code, message } = Object(error) as { code?: unknown; message?: unknown }
    return refusal(422, typeof code === 'string' ? code : 'error', String(message))
  }
}

/** Returns the records as server-sent events, each with the number of records up to it. */
async function eventsResponse(tasks: DurableTasks, taskId: string, request: Request): Promise<Response> {
  await tasks.status(taskId)
  const last = request.headers.get('last-event-id') ?? ''
  const from = /^\d{1,9}$/.test(last) ? Number(last) : 0
  const stop = new AbortController()
  request.signal.addEventListener('abort', () => stop.abort(), { once: true })
  const records = tasks.events(taskId, { from, signal: stop.signal })
  const lines = interruptible(linesOf(records, from), () => stop.abort())
  return linesResponse(lines, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' })
}

async function* linesOf(records: AsyncIterable<TaskEvents>, from: number): AsyncGenerator<string> {
  let next = from
  try {
    for await (const record of records) yield `id: ${++next}\ndata: ${JSON.stringify(record)}\n\n`
    yield 'event: end\ndata: {}\n\n'
  } catch (error) {
    yield `event: error\ndata: ${await errorResponse(error).text()}\n\n`
  }
}

function errorResponse(error: unknown): Response {
  const code = isToolkitError(error) ? error.code : 'error'
  const status = STATUS[code]
  // The messages of other errors may contain what is not for the sender.
  if (status === undefined || !isToolkitError(error)) return refusal(500, code, 'The request failed.')
  return refusal(status, code, error.message)
}

function refusal(status: number, code: string, message: string): Response {
  return Response.json({ code, message }, { status })
}
