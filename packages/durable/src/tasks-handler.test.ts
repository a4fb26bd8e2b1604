import { FunctionTool, MemoryTaskStore, ReActAgent } from '@x/agents'
import { ScriptedLLM } from '@x/llm/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AskedDecision } from './asked-decision.ts'
import type { DurableTasks } from './durable-tasks.ts'
import { requestText } from './http.ts'
import { ownedBy, ownedId } from './owned-by.ts'
import { settled } from './settled.ts'
import { StoredTasks } from './stored-tasks.ts'
import { type TaskEvents, validEvents } from './task-events.ts'
import { type TaskOperation, tasksHandler } from './tasks-handler.ts'

let tasks: StoredTasks
let handle: (request: Request) => Promise<Response>
let asked: [TaskOperation, string | undefined][]
let contexts: unknown[]

beforeEach(async () => {
  contexts = []
  asked = []
  const answers = new Map<string, ScriptedLLM>()
  const cause = new Error('connect ECONNREFUSED 10.0.0.1:443')
  const schema = { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] } as const
  const pay = FunctionTool.fromDefaults({
    name: 'pay',
    schema,
    needsApproval: true,
    fn: ({ amount }) => `paid ${amount}`,
  })
  tasks = new StoredTasks({
    store: new MemoryTaskStore(),
    maxInterruptions: 1,
    agent: ({ taskId, taskStore, context }) => {
      contexts.push(context)
      if (taskId === 'unmade') throw cause
      const script = ['Thought: pay\nAction: pay\nAction Input: {"amount": 5}', 'Thought: ok\nAnswer: Paid.']
      const llm =
        answers.get(taskId) ??
        new ScriptedLLM({ answers: taskId === 'broken' ? [new Error('no key sk-1', { cause })] : script })
      answers.set(taskId, llm)
      return ReActAgent.fromTools({ llm, tools: [pay], taskStore })
    },
  })
  await tasks.start()
  handle = tasksHandler(tasks, {
    mayUse: (request, { operation, taskId }) => {
      asked.push([operation, taskId])
      return request.headers.get('user') === 'Ann'
    },
    context: (request) => ({ user: request.headers.get('user') }),
    maxBodyBytes: 200,
  })
})
afterEach(() => tasks.stop())

interface Sent {
  method?: string
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}
const request = (path: string, { method, body, headers, signal }: Sent = {}) =>
  new Request(`http://localhost${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { user: 'Ann', ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  })
const send = async (path: string, sent?: Sent) => {
  const response = await handle(request(path, sent))
  const content = await response.text()
  return { status: response.status, body: content === '' ? null : JSON.parse(content) }
}
const waits = (taskId: string) => expect.poll(() => tasks.status(taskId)).toBe('waiting')

describe('tasks over HTTP', () => {
  it('are submitted, looked at, decided and answered', async () => {
    expect(await send('/tasks', { body: { input: 'Pay!', taskId: 'a/b' } })).toEqual({
      status: 201,
      body: { taskId: 'a/b' },
    })
    await waits('a/b')
    const { body } = await send('/tasks/a%2Fb')
    expect(body).toMatchObject({ taskId: 'a/b', status: 'waiting', calls: [{ name: 'pay', arguments: { amount: 5 } }] })
    const decision = { callId: body.calls[0].id, type: 'approve' }
    expect(await send('/tasks/a%2Fb/decide', { body: decision })).toEqual({ status: 204, body: null })
    expect(await send('/tasks/a%2Fb/answer')).toMatchObject({ status: 200, body: { response: 'Paid.' } })
    expect(await send('/tasks/a%2Fb/decide', { body: decision })).toMatchObject({
      status: 409,
      body: { code: 'approval' },
    })
    expect(contexts[0]).toEqual({ user: 'Ann' })
    expect(asked.slice(0, 3)).toEqual([
      ['submit', 'a/b'],
      ['look', 'a/b'],
      ['decide', 'a/b'],
    ])
  })

  it('say which version of workers they wait for, on engines with versions', async () => {
    await tasks.stop()
    const versioned: DurableTasks = Object.assign(tasks, { version: async () => '7' })
    const look = tasksHandler(versioned, { mayUse: () => true })
    await tasks.submit('Pay!', { taskId: 'rent' })
    expect(await (await look(request('/tasks/rent'))).json()).toEqual({
      taskId: 'rent',
      status: 'queued',
      calls: [],
      version: '7',
    })
    await tasks.cancel('rent')
    expect(await (await look(request('/tasks/rent'))).json()).not.toHaveProperty('version')
  })

  it('are decided as far as the application allows it, also with edited arguments', async () => {
    const seen: unknown[] = []
    const mayDecide = ({ taskId, toolName, decision, arguments: args, asked }: AskedDecision, request: Request) => {
      seen.push([request.headers.get('x-user'), taskId, toolName, decision.type, args, asked])
      // Only `true` allows it.
      return Number(args['amount']) <= 6 || ('no' as never)
    }
    handle = tasksHandler(tasks, { mayUse: () => true, mayDecide })
    await tasks.submit('Pay!', { taskId: 'rent' })
    await settled(tasks, 'rent')
    const [call] = await tasks.waiting('rent')
    const decide = (body: object) => send('/tasks/rent/decide', { body: { callId: call!.id, ...body } })
    expect(await decide({ type: 'edit', arguments: { amount: 7 } })).toMatchObject({
      status: 403,
      body: { code: 'decision_refused' },
    })
    expect(await decide({ type: 'other' })).toMatchObject({ status: 400 })
    expect(await send('/tasks/rent/decide', { body: { callId: 'other', type: 'approve' } })).toMatchObject({
      status: 409,
    })
    expect((await decide({ type: 'edit', arguments: { amount: 6 } })).status).toBe(204)
    expect((await tasks.answer('rent')).sources.map(({ content }) => content)).toEqual(['paid 6'])
    expect(seen).toEqual([
      [null, 'rent', 'pay', 'edit', { amount: 7 }, { amount: 5 }],
      [null, 'rent', 'pay', 'edit', { amount: 6 }, { amount: 5 }],
    ])
  })

  it('are not approved for later calls where each decision is judged', async () => {
    const seen: AskedDecision[] = []
    handle = tasksHandler(tasks, { mayUse: () => true, mayDecide: (asked) => seen.push(asked) > 0 })
    await tasks.submit('Pay!', { taskId: 'rent' })
    await settled(tasks, 'rent')
    const [call] = await tasks.waiting('rent')
    const decide = (always: boolean) =>
      send('/tasks/rent/decide', { body: { callId: call!.id, type: 'approve', always } })
    expect(await decide(true)).toMatchObject({
      status: 400,
      body: { code: 'configuration', message: expect.stringContaining('always') },
    })
    expect([seen, await tasks.status('rent')]).toEqual([[], 'waiting'])
    expect((await decide(false)).status).toBe(204)
  })

  it('receive no result in place of an approval', async () => {
    await tasks.submit('Pay!', { taskId: 'rent' })
    await settled(tasks, 'rent')
    const [call] = await tasks.waiting('rent')
    const body = { callId: call!.id, type: 'result', result: 'paid 300' }
    for (const mayDecide of [undefined, () => true]) {
      handle = tasksHandler(tasks, { mayUse: () => true, mayDecide })
      expect(await send('/tasks/rent/decide', { body })).toMatchObject({ status: 409, body: { code: 'approval' } })
    }
    expect(await tasks.status('rent')).toBe('waiting')
  })

  it('are decided by whom the application names, not by whom the sender names', async () => {
    const decided: unknown[] = []
    const own = {
      decide: async (_: string, decision: unknown) => void decided.push(decision),
    } as unknown as DurableTasks
    const body = { callId: 'a', type: 'approve', by: 'boss' }
    for (const by of [undefined, () => 'ann'])
      await tasksHandler(own, { mayUse: () => true, by })(request('/tasks/t/decide', { body }))
    expect(decided).toEqual([
      { callId: 'a', type: 'approve' },
      { callId: 'a', type: 'approve', by: 'ann' },
    ])
  })

  it('are cancelled, retried and forked', async () => {
    const { body } = await send('/tasks', { body: { input: 'Pay!' } })
    const path = `/tasks/${body.taskId}`
    expect(asked).toEqual([['submit', undefined]])
    await waits(body.taskId)
    expect(await send(`${path}/retry`, { body: '' })).toMatchObject({ status: 409, body: { code: 'task_busy' } })
    expect((await send(`${path}/cancel`, { body: '' })).status).toBe(204)
    expect(await send(`${path}/answer`)).toMatchObject({ status: 409, body: { code: 'task_cancelled' } })
    expect((await send(`${path}/retry`, { body: '' })).status).toBe(204)
    await waits(body.taskId)
    expect(await send(`${path}/fork`, { body: { atStep: 9 } })).toMatchObject({
      status: 400,
      body: { code: 'invalid_step' },
    })
    expect(await send(`${path}/fork`, { body: { atStep: 0, taskId: 'f' } })).toEqual({
      status: 201,
      body: { taskId: 'f' },
    })
    await waits('f')
  })

  it('stream their events, from the last one that a reader has', async () => {
    await send('/tasks', { body: { input: 'Pay!', taskId: 't' } })
    const response = await handle(request('/tasks/t/events'))
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    await waits('t')
    const [call] = await tasks.waiting('t')
    await tasks.decide('t', { callId: call!.id, type: 'approve' })
    const pieces = (await response.text()).trim().split('\n\n')
    expect(pieces.at(-1)).toBe('event: end\ndata: {}')
    const records = pieces.slice(0, -1).map((piece): TaskEvents => JSON.parse(piece.slice(piece.indexOf('data: ') + 6)))
    expect(validEvents(records).at(-1)?.type).toBe('task_end')
    expect(pieces[4]?.startsWith('id: 5\n')).toBe(true)
    const again = await handle(request('/tasks/t/events', { headers: { 'last-event-id': '5' } }))
    expect((await again.text()).trim().split('\n\n')).toEqual(pieces.slice(5))
  })

  it('end a stream when its reader goes', async () => {
    await send('/tasks', { body: { input: 'Pay!', taskId: 't' } })
    await waits('t')
    const leave = new AbortController()
    const left = await handle(request('/tasks/t/events', { signal: leave.signal }))
    leave.abort()
    await left.text()
    const cancelled = (await handle(request('/tasks/t/events'))).body!.getReader()
    await cancelled.read()
    await cancelled.cancel()
  })

  it('are refused to others, and to requests that are malformed', async () => {
    const refusals: [string, Sent, number, string][] = [
      ['/tasks', { body: { input: 'Pay!' }, headers: { user: 'Eve' } }, 403, 'forbidden'],
      ['/tasks', { body: 'x', headers: { 'content-type': 'text/plain' } }, 400, 'configuration'],
      ['/tasks', { body: '{' }, 400, 'configuration'],
      ['/tasks', { body: '[]' }, 400, 'configuration'],
      ['/tasks', { body: { input: 5 } }, 400, 'configuration'],
      ['/tasks', { body: { input: [{ type: 'x' }] } }, 400, 'model_validation'],
      ['/tasks', { body: { input: 'x', taskId: 5 } }, 400, 'configuration'],
      ['/tasks', { body: { input: 'x'.repeat(300) } }, 413, 'body_too_large'],
      ['/tasks', { method: 'DELETE' }, 404, 'not_found'],
      ['/tasks/none', {}, 404, 'task_not_found'],
      ['/tasks/none/answer', {}, 404, 'task_not_found'],
      ['/tasks/none/events', {}, 404, 'task_not_found'],
      ['/tasks/none/decide', { body: { callId: 'a', type: 'approve' } }, 404, 'task_not_found'],
      ['/tasks/none/decide', { body: {} }, 400, 'configuration'],
      ['/tasks/none/decide', { body: { callId: 'a', type: 'approve', aprovalId: 'x' } }, 400, 'model_validation'],
      ['/tasks/none/constructor', { body: '' }, 404, 'not_found'],
      ['/tasks/none/decide', {}, 404, 'not_found'],
      ['/tasks/%ff', {}, 400, 'configuration'],
      ['/other', {}, 404, 'not_found'],
      ['/tasks/none', { method: 'DELETE' }, 404, 'not_found'],
    ]
    for (const [path, sent, status, code] of refusals)
      expect({ path, sent, ...(await send(path, sent)) }).toMatchObject({ path, status, body: { code } })
    expect(await tasks.list()).toEqual([])
  })

  const image = (url: unknown) => ({ type: 'image_url', image_url: { url } })
  const file = (url: string) => ({ type: 'file', file: { url, media_type: 'application/pdf', filename: 'a.pdf' } })
  it.each([
    ['an image of the network of the server', image('http://169.254.169.254/'), 400],
    ['a file of the server', file('file:///etc/passwd'), 400],
    ['an address without a scheme', image('//a.example/b.png'), 400],
    ['an address with spaces before it', image(' http://a.example/b.png'), 400],
    ['an address beside a text', { ...image('http://a.example'), type: 'text', text: 'Look!' }, 400],
    ['an image that is no string', image(5), 400],
    ['a part that is null', null, 400],
    ['an image of the web', image('HTTPS://a.example/b.png'), 201],
    ['a file with its content', file('data:application/pdf;base64,AAAA'), 201],
  ])('take or refuse an input with %s', async (_, part, status) => {
    const response = await handle(request('/tasks', { body: { input: [{ type: 'text', text: 'Pay!' }, part] } }))
    expect([response.status, (await response.json()).code]).toEqual([
      status,
      status === 201 ? undefined : expect.stringMatching(/^(configuration|model_validation)$/),
    ])
  })

  it('have the files that an option allows', async () => {
    const seen: unknown[] = []
    const own = tasksHandler(tasks, {
      mayUse: () => true,
      allowFile: (given, { headers }) => {
        seen.push([given, headers.get('user')])
        return given.url.startsWith('s3:')
      },
    })
    const send = async (...input: object[]) => (await own(request('/tasks', { body: { input } }))).json()
    expect(await send(file('s3://b/a.pdf'))).toHaveProperty('taskId')
    expect(await send(image('https://a.example/b.png'))).toEqual({
      code: 'model_validation',
      message: 'input[0]: the address of a file is not allowed: "https://a.example/b.png".',
    })
    expect(await send(file('s3://b/a.pdf'), image(`x${'y'.repeat(200)}`))).toMatchObject({
      message: `input[1]: the address of a file is not allowed: "x${'y'.repeat(99)}…".`,
    })
    expect(seen).toContainEqual([{ url: 's3://b/a.pdf', mediaType: 'application/pdf', filename: 'a.pdf' }, 'Ann'])
    expect(seen).toContainEqual([{ url: 'https://a.example/b.png', mediaType: 'image/*' }, 'Ann'])
  })

  it('answer with what models see of nodes', async () => {
    const node = { text: 'Pears.', metadata: { file: 'a.md', note: 'secret' }, excluded_llm_metadata_keys: ['note'] }
    const answer = { response: 'Green.', sources: [], source_nodes: [{ node, score: 1 }] }
    const answered = { status: async () => 'finished', answer: async () => answer } as unknown as DurableTasks
    handle = tasksHandler(answered, { mayUse: () => true })
    expect((await send('/tasks/a/answer')).body.source_nodes).toMatchObject([{ node: { metadata: { file: 'a.md' } } }])
    expect(JSON.stringify(await send('/tasks/a/answer'))).not.toContain('secret')
  })

  it('report how they failed, and hide what fails in the engine', async () => {
    await send('/tasks', { body: { input: 'Pay!', taskId: 'broken' } })
    expect(await send('/tasks/broken/answer')).toEqual({ status: 422, body: { code: 'error', message: 'no key sk-1' } })
    await send('/tasks', { body: { input: 'Pay!', taskId: 'unmade' } })
    await expect.poll(async () => (await tasks.list())[0]?.problem?.causes).toContain('10.0.0.1')
    const { body } = await send('/tasks')
    expect(body.tasks).toMatchObject([{ problem: { code: 'agent_setup', message: 'The task cannot be run.' } }])
    const failure = { code: 'agent_setup', message: 'The agent cannot be created.' }
    expect(await send('/tasks/unmade/answer')).toEqual({ status: 422, body: failure })
    const problems = [{ problem: { code: 'error', message: 'no key sk-1' } }, { problem: failure }]
    expect((await send('/tasks?status=failed')).body.tasks).toMatchObject(problems)
    const events = await (await handle(request('/tasks/unmade/events'))).text()
    expect(events).toContain('"agent_setup"')
    expect(events).not.toContain('10.0.0.1')
    const failing = new Proxy({} as DurableTasks, {
      get: (_, name) => async () => {
        if (name !== 'status') throw new Error('postgres://secret')
        return 'running'
      },
    })
    const logged: unknown[] = []
    handle = tasksHandler(failing, { mayUse: () => true, path: '/jobs', logError: (error) => logged.push(error) })
    for (const path of ['/jobs/a', '/jobs/a/answer'])
      expect(await send(path)).toEqual({ status: 500, body: { code: 'error', message: 'The request failed.' } })
    await send('/other')
    expect(logged).toMatchObject([{ message: 'postgres://secret' }, { message: 'postgres://secret' }])
  })

  it('need to know who may use them', () => {
    expect(() => tasksHandler(tasks, {} as never)).toThrow('tasksHandler.mayUse: expected a function, received nothing')
  })
})

describe('a list over HTTP', () => {
  const listed = async (response: Response) =>
    ((await response.json()) as { tasks: { taskId: string }[] }).tasks.map(({ taskId }) => taskId)

  it('has the tasks of the sender alone, with their calls', async () => {
    const own = tasksHandler(tasks, { mayUse: ownedBy((sent) => sent.headers.get('user')) })
    const as = (user: string, path: string, sent: Sent = {}) => own(request(path, { ...sent, headers: { user } }))
    for (const user of ['ann', 'ann-2', 'an']) await as(user, '/tasks', { body: { input: 'Pay!', taskId: 'rent' } })
    await waits(ownedId('ann', 'rent'))
    const response = await as('ann', '/tasks?status=waiting')
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        tasks: [
          {
            taskId: ownedId('ann', 'rent'),
            status: 'waiting',
            input: 'Pay!',
            at: expect.any(Number),
            calls: [expect.objectContaining({ name: 'pay', arguments: { amount: 5 } })],
          },
        ],
      },
    ])
    expect(await listed(await as('an', '/tasks'))).toEqual([ownedId('an', 'rent')])
    expect(await listed(await as('bob', '/tasks'))).toEqual([])
    expect(await listed(await as('ann', '/tasks?status=finished'))).toEqual([])
    expect((await as('', '/tasks')).status).toBe(401)
    expect((await as('ann', '/tasks?status=open')).status).toBe(400)
  })

  it('has each task at which the sender may look', async () => {
    for (const taskId of ['ann-1', 'bob-1']) await tasks.submit('Pay!', { taskId })
    const mayUse = (_request: Request, { taskId }: { taskId: string | undefined }) => taskId?.startsWith('ann-') ?? true
    expect(await listed(await tasksHandler(tasks, { mayUse })(request('/tasks')))).toEqual(['ann-1'])
    expect(await send('/tasks', { headers: { user: 'Bob' } })).toMatchObject({ status: 403 })
    expect(asked).toEqual([['list', undefined]])
  })

  it('is refused for an engine without it', async () => {
    const { status } = tasks
    const other = tasksHandler({ status } as unknown as DurableTasks, { mayUse: () => true })
    const response = await other(request('/tasks'))
    expect([response.status, await response.json()]).toMatchObject([501, { code: 'unsupported_operation' }])
  })
})

describe('a fork over HTTP', () => {
  it('with an id that the sender chose must be allowed as a new task', async () => {
    await send('/tasks', { body: { input: 'Pay!', taskId: 'ann-1' } })
    await waits('ann-1')
    const own = tasksHandler(tasks, { mayUse: (_request, { taskId }) => taskId?.startsWith('ann-') ?? true })
    const fork = (taskId: string) => own(request('/tasks/ann-1/fork', { body: { atStep: 0, taskId } }))
    expect([(await fork('bob-1')).status, (await fork('ann-2')).status]).toEqual([403, 201])
    await expect(tasks.status('bob-1')).rejects.toMatchObject({ code: 'task_not_found' })
  })

  it.each([{ atStep: '0' }, { atStep: { toString: 1 } }, { atStep: 0.5 }, { taskId: 5 }, { taskId: ['a'] }])(
    'with the options %j is refused',
    async (body) => {
      await send('/tasks', { body: { input: 'Pay!', taskId: 'a' } })
      await waits('a')
      expect(await send('/tasks/a/fork', { body })).toMatchObject({ status: 400, body: { code: 'configuration' } })
    },
  )
})

it.each([
  ['whose length is known', { 'content-length': '6' }],
  ['whose length is not known', {}],
])('reads a body up to its limit, %s', async (_, headers) => {
  const bytes = new TextEncoder().encode('a🍎b')
  const request = () => {
    const body = new ReadableStream({
      start: (controller) => {
        for (const part of [bytes.slice(0, 3), bytes.slice(3)]) controller.enqueue(part)
        controller.close()
      },
    })
    return new Request('https://a.example', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
  }
  expect(await requestText(request(), 6)).toBe('a🍎b')
  expect(await requestText(request(), 5)).toBeNull()
})
