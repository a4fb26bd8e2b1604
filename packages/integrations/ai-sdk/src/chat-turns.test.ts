import { FunctionCallingAgent, FunctionTool, journal, MemoryTaskStore } from '@x/agents'
import { chatKey, loadTurns } from '@x/chats'
import { SimpleChatStore } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { type App, appOf, calling, decided, metadata, pageOf, schema, stop } from '../test/chat-app.ts'
import { type Any, clientOf, clients, lastText, post, question, toolsOf } from '../test/chat-clients.ts'
import { insertMissed, shapeOf } from '../test/chat-programs/shown.ts'
import { chatHandler } from './chat-handler.ts'
import { loadUIMessages } from './load-ui-messages.ts'

/** What a page shows: roles, texts, and tools with their states and values. */
const shown = (messages: Any[]) =>
  messages.map(({ id, role, parts }: Any) => ({
    id,
    role,
    parts: parts.flatMap(({ type, text, state, input, output }: Any) => {
      if (type === 'text' || type === 'reasoning') return [[type, text]]
      return type === 'dynamic-tool' ? [[state, input, output ?? null]] : []
    }),
  }))

async function expectEqual(app: App, page: Any) {
  await expect.poll(async () => shown(await app.load())).toEqual(shown(page.messages))
}

const seen = (app: App) => JSON.stringify(app.llm.calls.at(-1)!.messages)

describe.each(['an agent', 'durable tasks'])('a page and the store, with %s', (kind) => {
  it('are the same after an answer with tools, whose values are kept', async () => {
    const app = await appOf(kind, [calling('count', 5, 'Let me see.'), 'Five.'])
    const page = await pageOf(app)
    await page.sendMessage({ text: 'Count!' })
    await expectEqual(app, page)
    expect(shown(page.messages)[1]!.parts).toContainEqual(['output-available', { euros: 5 }, '5'])
  })

  it('are the same when another page has decided', async () => {
    const app = await appOf(kind, [calling('pay'), 'Paid.'])
    const first = await pageOf(app)
    await first.sendMessage({ text: 'Pay!' })
    const second = await pageOf(app, true)
    await decided(first, true)
    await expectEqual(app, first)
    await decided(second, false)
    await expectEqual(app, second)
    expect(app.paid.length).toBe(1)
    const [turn] = await loadTurns(app.chatStore, 'ann', 'chat')
    expect(turn?.state).toBe('done')
  })

  it('are the same when another page has stopped a call that this one approves', async () => {
    const app = await appOf(kind, [calling('pay')])
    const page = await pageOf(app)
    await page.sendMessage({ text: 'Pay!' })
    await stop(app)
    await decided(page, true)
    await expectEqual(app, page)
    const { metadata } = (await app.load())[1]!
    expect([metadata!.state, page.messages[1].metadata]).toEqual(['stopped', metadata])
    expect(app.paid).toEqual([])
    expect((await loadTurns(app.chatStore, 'ann', 'chat'))[0]?.state).toBe('stopped')
  })

  it('are the same while one of two calls waits, and after it', async () => {
    const both = calling('pay')
    const { tool_calls: calls } = both.additionalKwargs as { tool_calls: object[] }
    calls.push(...(calling('mail').additionalKwargs['tool_calls'] as object[]))
    const app = await appOf(kind, [both, 'Done.'])
    const first = await pageOf(app)
    await first.sendMessage({ text: 'Pay and mail!' })
    const page = await pageOf(app, true)
    await decided(page, true)
    await expectEqual(app, page)
  })

  it('are the same while a call waits, after another message, and after the approval', async () => {
    const app = await appOf(kind, [calling('pay'), 'Not yet.', 'Paid.'])
    const first = await pageOf(app)
    await first.sendMessage({ text: 'Pay!' })
    await expectEqual(app, first)
    const page = await pageOf(app, true)
    await page.sendMessage({ text: 'Did you?' })
    expect(seen(app)).toContain('waits for a decision')
    await expectEqual(app, page)
    // The page that was open decides: nothing is lost.
    await decided(first, true)
    const texts = app.chatStore.getMessages(chatKey('ann', 'chat')).map(String)
    expect(texts.map((text) => text.slice(0, 15))).toEqual([
      'user: Pay!',
      'assistant: ',
      'tool: {"paid":5',
      'assistant: Paid',
      'user: Did you?',
      'assistant: Not ',
    ])
    expect(app.paid).toHaveLength(1)
  })

  it('are the same after a stop in a call, and the model knows that its effect is unknown', async () => {
    const app = await appOf(kind, [calling('hang', 5, 'I try.'), 'Yes.'])
    const page = await pageOf(app)
    const sending = page.sendMessage({ text: 'Hang!' })
    await app.reached
    expect((await stop(app)).status).toBe(204)
    await sending
    // The chat is free at once.
    await page.sendMessage({ text: 'And now?' })
    expect(seen(app)).toContain('it is unknown whether')
    expect(page.messages.at(-1).parts.at(-1).text).toBe('Yes.')
    expect((await loadTurns(app.chatStore, 'ann', 'chat')).map(({ state }) => state)).toEqual(['stopped', 'done'])
  })

  it('are the same, without an error, when DELETE alone stops an answer, and when it stops an approved call', async () => {
    const app = await appOf(kind, [['Once ', new Promise<string>(() => {})], calling('hold')])
    let requests = 0
    const route: App['route'] = (request) => {
      requests++
      return app.route(request)
    }
    const page = await pageOf({ ...app, route })
    const sending = page.sendMessage({ text: 'Tell me a story.' })
    await expect.poll(() => lastText(page)).toBe('Once')
    const other = await pageOf(app, true)
    const reading = other.resumeStream()
    await expect.poll(() => lastText(other)).toBe('Once')
    expect((await stop(app)).status).toBe(204)
    await Promise.all([sending, reading])
    for (const { status, error } of [page, other]) expect([status, error]).toEqual(['ready', undefined])
    await expectEqual(app, page)
    await expectEqual(app, other)
    await page.sendMessage({ text: 'Hold!' })
    const deciding = decided(page, true)
    await app.reached
    await stop(app)
    await deciding
    await expect.poll(() => [page.status, page.error]).toEqual(['ready', undefined])
    await expectEqual(app, page)
    // The page does not send its decision again.
    expect(requests).toBe(3)
  })

  it('are the same when a page is loaded while the answer after a stopped one runs', async () => {
    const never = new Promise<string>(() => {})
    const app = await appOf(kind, [
      ['Once ', never],
      ['Twice ', never],
    ])
    const page = await pageOf(app)
    for (const text of ['Once', 'Twice']) {
      const sending = page.sendMessage({ text })
      await expect.poll(() => [page.messages.at(-1)?.role, lastText(page)]).toEqual(['assistant', text])
      const other = await pageOf(app, true)
      const reading = other.resumeStream()
      await expect.poll(() => shown(other.messages)).toEqual(shown(page.messages))
      await stop(app)
      await Promise.all([sending, reading])
    }
    await expectEqual(app, page)
    expect(page.messages.map(({ role }: Any) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
  })

  it('repeat no effect when a message is sent again after a failure', async () => {
    const app = await appOf(kind, [calling('mail', 5, 'I mail. '), new Error('down'), ['\n', 'Sent. ', '\n']])
    const page = await pageOf(app)
    await page.sendMessage({ text: 'Mail!' })
    await expect.poll(async () => (await loadTurns(app.chatStore, 'ann', 'chat'))[0]?.state).toBe('failed')
    await page.regenerate()
    await expectEqual(app, page)
    expect(app.paid).toHaveLength(1)
    expect(page.messages.at(-1).parts.at(-1).text).toBe('Sent.')
  })

  it.each([
    ['whose tool threw', 5, false],
    ['whose tool threw after an approval', 5, true],
    ['whose arguments were refused', 'many', false],
  ])(
    'are the same after a call that ends the run, %s, and when the answer continues',
    async (_, euros, needsApproval) => {
      const keys: unknown[] = []
      const fn = (_: object, { idempotencyKey }: { idempotencyKey?: string }) => {
        if (keys.push(idempotencyKey) === 1) throw new Error('Busy.')
        return 'refunded'
      }
      const refund = FunctionTool.fromDefaults({ name: 'refund', schema, needsApproval, fn: fn as never })
      const makeAgent = ({ tools, ...given }: Any) =>
        FunctionCallingAgent.fromTools({ ...given, tools: [...tools, refund], onToolError: 'raise' })
      // After arguments that were refused, the model is asked anew.
      const isRefused = euros === 'many'
      const answers = [calling('refund', euros as number), ...(isRefused ? [calling('mail')] : []), 'Done.']
      const onError = ({ code }: { code: string | null }) => `Sorry (${code}).`
      const app = await appOf(kind, answers, { makeAgent, onError })
      const page = await pageOf(app)
      await page.sendMessage({ text: 'Refund!' })
      if (needsApproval) await decided(page, true).catch(() => {})
      expect(page.error.message).toBe(isRefused ? 'Sorry (tool_input).' : 'Sorry (tool_execution).')
      expect(toolsOf(page)).toMatchObject([{ state: 'output-error', errorText: 'Sorry (tool_execution).' }])
      await expectEqual(app, page)
      const seen = String(app.chatStore.getMessages(chatKey('ann', 'chat')).at(-1)!.content)
      expect(seen).toMatch(
        isRefused ? /^Error: Tool "refund": .*number/ : /^Error: Busy\.\nIt is unknown whether this call had/,
      )
      if (isRefused) expect(seen).not.toContain('unknown')
      if (!needsApproval) {
        // The answer without a decision, to which `useChat` would add what follows.
        await page.sendMessage()
        expect(JSON.parse(page.error.message)).toMatchObject({ error: { code: 'nothing_waits' } })
        await expectEqual(app, page)
      }
      await page.regenerate()
      await expect.poll(async () => (await app.load()).map(shapeOf)).toEqual(page.messages.map(shapeOf))
      expect(lastText(page)).toBe('Done.')
      expect(toolsOf(page).at(-1)).toMatchObject({ state: 'output-available' })
      expect([keys.length, new Set(keys).size]).toEqual(isRefused ? [0, 0] : [2, 1])
    },
  )

  it('have one key for a call that threw a fatal error, while the model corrects refused arguments in the same run', async () => {
    const keys: string[] = []
    const fn = (_: object, { idempotencyKey }: { idempotencyKey?: string }) => {
      if (keys.push(idempotencyKey!) === 1) throw Object.assign(new Error('Busy.'), { fatal: true })
      return 'refunded'
    }
    const refund = FunctionTool.fromDefaults({ name: 'refund', schema, fn: fn as never })
    const makeAgent = ({ tools, ...given }: Any) =>
      FunctionCallingAgent.fromTools({ ...given, tools: [...tools, refund] })
    const answers = [calling('refund', 'many' as never), calling('refund', 5), 'Done.']
    const app = await appOf(kind, answers, { makeAgent })
    const page = await pageOf(app)
    await page.sendMessage({ text: 'Refund!' })
    expect(page.error.message).toBe('The tool failed.')
    expect(toolsOf(page).map(({ state }) => state)).toEqual(['output-error', 'output-error'])
    await page.regenerate()
    expect(lastText(page)).toBe('Done.')
    await expectEqual(app, page)
    expect([keys.length, new Set(keys).size]).toEqual([2, 1])
    expect(keys[0]).toMatch(/^[\w./-]{100,120}$/)
  })

  it('tell the next run what was done before a failure', async () => {
    const app = await appOf(kind, [calling('mail'), new Error('down'), 'I know.'])
    const page = await pageOf(app)
    await page.sendMessage({ text: 'Mail!' })
    await expect.poll(async () => (await loadTurns(app.chatStore, 'ann', 'chat'))[0]?.state).toBe('failed')
    await page.sendMessage({ text: 'Was it sent?' })
    expect(seen(app)).toContain('{\\"paid\\":5}')
  })

  it('lose nothing to a second page, which is told what it lacks', async () => {
    const app = await appOf(kind, ['1', '2', '3'])
    const [one, two] = [await pageOf(app), await pageOf(app)]
    const missed: Any[] = []
    two.onData = ({ type, data }: Any) => type === 'data-chat-missed' && missed.push(...data)
    await one.sendMessage({ text: 'a' })
    await two.sendMessage({ text: 'b' })
    await one.sendMessage({ text: 'c' })
    expect(shown(missed).map(({ parts }) => parts[0]![1])).toEqual(['a', '1'])
    const texts = shown(await app.load()).map(({ parts }) => parts[0]![1])
    expect(texts).toEqual(['a', '1', 'b', '2', 'c', '3'])
  })

  it.each([
    ['an edited message', (page: Any) => page.sendMessage({ text: 'A', messageId: page.messages[0].id })],
    ['another answer', (page: Any) => page.regenerate({ messageId: page.messages[1].id })],
    ['another answer to the last message', (page: Any) => page.regenerate()],
  ])('are the same on a second page, which is behind %s', async (_, change) => {
    const app = await appOf(kind, ['1', '2', '3', '4', '5'])
    const one = await pageOf(app)
    for (const text of ['a', 'b']) await one.sendMessage({ text })
    const two = await pageOf(app, true)
    two.onData = (part: Any) => insertMissed(two, part)
    await change(one)
    await two.sendMessage({ text: 'c' })
    await expectEqual(app, two)
    const missed: Any[] = []
    two.onData = ({ type }: Any) => missed.push(type)
    await two.sendMessage({ text: 'd' })
    await expectEqual(app, two)
    expect(missed).toEqual([])
  })

  it('are sent again to no page that shows them, also after a failure without an answer', async () => {
    const app = await appOf(kind, [new Error('down'), '2', '3'])
    const page = await pageOf(app)
    await page.sendMessage({ text: 'a' })
    const loaded = await pageOf(app, true)
    const missed: Any[] = []
    loaded.onData = ({ type }: Any) => missed.push(type)
    for (const text of ['b', 'c']) await loaded.sendMessage({ text })
    expect(missed).toEqual([])
    await expectEqual(app, loaded)
  })

  it('are the same after another answer to a message, by a page that lacks those behind it', async () => {
    const app = await appOf(kind, ['1', '2', '3', '4', '5'])
    const [one, two] = [await pageOf(app), await pageOf(app)]
    one.onData = (part: Any) => insertMissed(one, part)
    await two.sendMessage({ text: 'z' })
    await one.sendMessage({ text: 'a' })
    await two.sendMessage({ text: 'b' })
    await one.regenerate()
    await expectEqual(app, one)
    const texts = () => shown(one.messages).map(({ parts }) => parts[0]![1])
    expect(texts()).toEqual(['z', '1', 'a', '4', 'b', '3'])
    await one.sendMessage({ text: 'c' })
    await expectEqual(app, one)
    expect(texts()).toEqual(['z', '1', 'a', '4', 'b', '3', 'c', '5'])
  })

  it('are the same after another answer and after an edit', async () => {
    const app = await appOf(kind, ['1', '2', '3', '4'])
    const page = await pageOf(app)
    for (const text of ['a', 'b']) await page.sendMessage({ text })
    await page.regenerate()
    await expectEqual(app, page)
    await page.sendMessage({ text: 'A', messageId: page.messages[0].id })
    await expectEqual(app, page)
    expect(shown(page.messages)).toHaveLength(2)
  })

  it('are the same after a rejection, and after a stop while a call waits', async () => {
    const app = await appOf(kind, [calling('pay'), 'As you wish.', calling('pay'), 'Yes.'])
    const page = await pageOf(app)
    await page.sendMessage({ text: 'Pay!' })
    await decided(page, false)
    const states = () => page.messages[1].parts.flatMap(({ state, toolCallId }: Any) => (toolCallId ? [state] : []))
    expect(states()).toEqual(['output-denied'])
    await page.sendMessage({ text: 'Pay!' })
    await stop(app)
    const loaded = await app.load()
    expect(shown(loaded).at(-1)!.parts).toEqual([['output-error', { euros: 5 }, null]])
    await page.sendMessage({ text: 'And?' })
    expect(seen(app)).toContain('Stopped before this call ran')
    expect(app.paid).toEqual([])
  })

  it.each([false, true])(
    'are the same when a stopped call is asked for again, another one that ran: %j',
    async (mails) => {
      const both = calling('pay')
      const { tool_calls: calls } = both.additionalKwargs as { tool_calls: object[] }
      if (mails) calls.unshift(...(calling('mail').additionalKwargs['tool_calls'] as object[]))
      const app = await appOf(kind, [both, 'Paid.'])
      await (await pageOf(app)).sendMessage({ text: 'Pay!' })
      await stop(app)
      const page = await pageOf(app, true)
      await page.regenerate()
      await expectEqual(app, page)
      expect((await loadTurns(app.chatStore, 'ann', 'chat'))[0]?.state).toBe('waiting')
      await decided(page, true)
      await expectEqual(app, page)
      expect(app.paid).toHaveLength(mails ? 2 : 1)
      expect(page.messages.at(-1).parts.at(-1).text).toBe('Paid.')
    },
  )

  it('run what the page shows: the arguments that it has edited, if they fit the tool', async () => {
    const app = await appOf(kind, [calling('pay', 50), 'Paid.'])
    const page = await pageOf(app)
    await page.sendMessage({ text: 'Pay!' })
    await decided(page, true, { euros: 5 })
    expect(app.paid.map(([euros]) => euros)).toEqual([5])
  })

  it('show a rejected call with its own arguments, also where they were edited', async () => {
    const app = await appOf(kind, [calling('pay', 50), 'Not paid.'])
    const page = await pageOf(app)
    await page.sendMessage({ text: 'Pay!' })
    await decided(page, false, { euros: 5 })
    await expectEqual(app, page)
    expect(app.paid).toEqual([])
    expect(JSON.stringify(page.messages)).not.toContain('"euros":5}')
  })

  it.each([
    ['beside the approval', { approval: { arguments: { euros: 5 } } }],
    ['as JSON text', { input: '{"euros":5}' }],
    ['as a list', { input: [] }],
    ['as null', { input: null }],
  ])('refuse changed arguments where nothing reads them: %s', async (_how, { approval: more, ...changed }: Any) => {
    const app = await appOf(kind, [calling('pay', 50), 'Paid.'])
    const page = await pageOf(app)
    await page.sendMessage({ text: 'Pay!' })
    const asked = page.messages.at(-1)
    const part = asked.parts.at(-1)
    const approval = { ...part.approval, approved: true, ...more }
    const message = { ...asked, parts: [{ ...part, ...changed, state: 'approval-responded', approval }] }
    const response = await app.route(
      new Request('https://chat.example/api/chat', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ id: 'chat', messages: [message] }),
      }),
    )
    expect(response.status).toBe(400)
    expect(app.paid).toEqual([])
  })

  it('let the application say who may decide, and whether messages wait', async () => {
    const mayDecide = ({ toolName, arguments: args }: Any) => toolName === 'pay' && args.euros < 50
    const app = await appOf(kind, [calling('pay', 50), 'Never.'], { mayDecide, whileWaiting: 'refuse' })
    const page = await pageOf(app)
    await page.sendMessage({ text: 'Pay!' })
    const other = await pageOf(app, true)
    await other.sendMessage({ text: 'Hello?' })
    expect(other.error.message).toContain('decision_pending')
    const part = page.messages.at(-1).parts.at(-1)
    await page.addToolApprovalResponse({ id: part.approval.id, approved: true })
    await expect.poll(() => page.error?.message).toContain('decision_refused')
    expect(app.paid).toEqual([])
  })

  it('let the application keep complete answers, whose effects another one would repeat, and continue those that failed', async () => {
    const answers = [calling('mail'), new Error('down'), 'Sent.', new Error('down'), 'Hello.']
    const app = await appOf(kind, answers, { replacing: 'refuse' })
    const page = await pageOf(app)
    await page.sendMessage({ text: 'Mail!' })
    await page.regenerate()
    expect([page.status, lastText(page)]).toEqual(['ready', 'Sent.'])
    await page.regenerate()
    expect(page.error.message).toContain('replacing_refused')
    expect(app.paid).toHaveLength(1)
    await expectEqual(app, await pageOf(app, true))
    // One that failed is the last one no more when another message is answered.
    await page.sendMessage({ text: 'Mail again!' })
    await page.sendMessage({ text: 'Hello?' })
    const other = await pageOf(app, true)
    await other.regenerate({ messageId: other.messages.at(-3).id })
    expect(JSON.parse(other.error.message).error.message).toContain('only the last one goes on')
    expect(lastText(await pageOf(app, true))).toBe('Hello.')
  })
})

describe.each(clients.filter(({ name }) => ['AI SDK 6', 'AI SDK 7'].includes(name)))('$name', (client) => {
  it('gets the titles of tools, and the schemas of approvals, also when the page is loaded', async () => {
    const llm = new ScriptedLLM({ answers: [calling('mail'), calling('pay'), 'Paid.'], metadata })
    const chatStore = new SimpleChatStore()
    const tools = [
      FunctionTool.fromDefaults({ name: 'mail', title: 'Send a mail', schema, fn: () => 'sent' }),
      FunctionTool.fromDefaults({ name: 'pay', title: 'Pay', schema, needsApproval: true, fn: () => 'paid' }),
    ]
    const agent = FunctionCallingAgent.fromTools({ llm, tools, taskStore: journal(new MemoryTaskStore()) })
    const route = chatHandler({ agent, user: () => 'ann', chatStore, tools })
    const page = clientOf(client, () => route)
    await page.sendMessage({ text: 'Pay.' })
    const shown = [
      { title: 'Send a mail', state: 'output-available' },
      { title: 'Pay', approval: { descriptor: { title: 'Pay', schema } } },
    ]
    expect(toolsOf(page)).toMatchObject(shown)
    page.messages = await loadUIMessages(chatStore, 'ann', 'chat', { tools })
    expect(toolsOf(page)).toMatchObject(shown)
    await page.addToolApprovalResponse({ id: toolsOf(page)[1].approval.id, approved: true })
    await expect.poll(() => lastText(page)).toBe('Paid.')
  })
})

it('a run whose reader has left is over when the work of waitUntil is: then a process may close its database', async () => {
  const running = new Set<Promise<void>>()
  const waitUntil = (work: Promise<void>) => {
    running.add(work)
    void work.finally(() => running.delete(work))
  }
  let say = (_: string) => {}
  const slow = new Promise<string>((resolve) => {
    say = resolve
  })
  const app = await appOf('an agent on SQLite', [calling('mail', 5, 'I mail. '), ['Se', slow]], { waitUntil })
  const response = await app.route(post({ id: 'chat', messages: [question('Mail!')] }))
  const reader = response.body!.getReader()
  await reader.read()
  await reader.cancel()
  setTimeout(() => say('nt.'), 50)
  expect(running.size).toBe(1)
  await Promise.all(running)
  expect(running.size).toBe(0)
  const [turn] = await loadTurns(app.chatStore, 'ann', 'chat')
  expect([turn!.state, String(turn!.messages.at(-1)!.content)]).toEqual(['done', 'Sent.'])
})
