import { FunctionCallingAgent, FunctionTool, journal, MemoryTaskStore } from '@x/agents'
import { loadTurns } from '@x/chats'
import { SimpleChatStore } from '@x/core-model'
import { type ScriptedAnswer, ScriptedLLM } from '@x/llm/testing'
import { validateUIMessages } from 'ai'
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test'
import { describe, expect, it } from 'vitest'
import {
  appOf,
  calling,
  decided,
  expectEqual,
  json,
  type MakeAgent,
  metadata,
  pageOf,
  schema,
  stop,
} from '../test/chat-app.ts'
import { type Any, clientOf, clients, lastText, toolsOf } from '../test/chat-clients.ts'
import { AiSdkLLM } from './ai-sdk-llm.ts'
import { chatHandler } from './chat-handler.ts'
import { loadUIMessages } from './load-ui-messages.ts'

const both = () => {
  const turn = calling('pay', 1, 'Both.')
  const { tool_calls: calls } = turn.additionalKwargs as { tool_calls: object[] }
  calls.push(...(calling('pay', 2).additionalKwargs['tool_calls'] as object[]))
  return turn
}
const textParts = [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'See there.' },
  { type: 'text-end', id: 't' },
]

/** Returns a model that streams these replies. */
function streaming(...replies: object[][]) {
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
  const finish = { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage }
  const doStream = async () => ({ stream: convertArrayToReadableStream([...replies.shift()!, finish]) })
  return new MockLanguageModelV4({ doStream: doStream as never })
}
const approving = clients.filter(({ approves }) => approves)

it('asks nobody about a call that was killed in the middle of its effect, also if it would need approval now', async () => {
  const chatStore = new SimpleChatStore()
  const taskStore = journal(new MemoryTaskStore())
  const llm = new ScriptedLLM({ answers: [calling('pay', 15), 'Paid.'], metadata })
  const keys: unknown[] = []
  let isDear = false
  const begun = Promise.withResolvers<void>()
  const pay = FunctionTool.fromDefaults({
    name: 'pay',
    schema,
    needsApproval: () => isDear,
    fn: (_, { idempotencyKey }) => {
      begun.resolve()
      return keys.push(idempotencyKey) === 1 ? new Promise<string>(() => {}) : 'paid once'
    },
  })
  const newProcess = () => {
    const agent = FunctionCallingAgent.fromTools({ llm, tools: [pay], taskStore })
    return chatHandler({ agent, user: () => 'ann', chatStore })
  }
  let route = newProcess()
  const page = clientOf(clients.at(-1)!, () => route)
  void page.sendMessage({ text: 'Pay!' }).catch(() => {})
  await begun.promise
  isDear = true
  route = newProcess()
  const again = clientOf(clients.at(-1)!, () => route)
  again.messages = await loadUIMessages(chatStore, 'ann', 'chat')
  await again.regenerate()
  expect(toolsOf(again)).toMatchObject([{ state: 'output-available', output: 'paid once' }])
  expect(lastText(again)).toBe('Paid.')
  await expect.poll(async () => json(await loadUIMessages(chatStore, 'ann', 'chat'))).toEqual(json(again.messages))
  expect(JSON.stringify(llm.calls.at(-1)!.messages)).toContain('paid once')
  expect([keys.length, new Set(keys).size]).toEqual([2, 1])
})

describe.each(['an agent', 'durable tasks on SQLite'])('with %s', (kind) => {
  describe.each(approving)('what $name shows and what it loads are the same', (client) => {
    const begun = async (answers: Parameters<typeof appOf>[1], text = 'Pay!') => {
      const app = await appOf(kind, answers)
      const page = clientOf(client, () => app.route)
      const sent = page.sendMessage({ text })
      return { app, page, sent }
    }

    it.each([
      ['an answer', ['Hello.'], 'done'],
      ['a tool', [calling('count', 5, 'Let me see.'), 'Five.'], 'done'],
      ['two steps with tools', [calling('count'), calling('mail', 2), 'Done.'], 'done'],
      ['a question', [calling('pay', 5, 'Shall I?')], 'waiting'],
      ['a call of the page', [calling('choose', 5, 'Which one?')], 'waiting'],
      ['an error', [calling('mail'), new Error('down')], 'failed'],
      ['an error before the answer', [new Error('down')], undefined],
    ])('after %s', async (_, answers, state) => {
      const { app, page, sent } = await begun(answers)
      await sent
      await expect.poll(async () => (await loadTurns(app.chatStore, 'ann', 'chat'))[0]?.state).not.toBe('open')
      await expectEqual(app, page)
      expect(page.messages[1]?.metadata.state).toBe(state)
    })

    it.each([
      ['an approval', true, undefined],
      ['an approval with edited arguments', true, { euros: 3 }],
      ['a rejection', false, undefined],
      ['arguments that do not fit', true, { euros: 'many' }],
    ])('after %s', async (_, approved, input) => {
      const { app, page, sent } = await begun([calling('pay', 5, 'Shall I?'), 'Done.'])
      await sent
      await decided(page, approved, input)
      await expectEqual(app, page)
      const part = page.messages[1].parts.find(({ toolCallId }: Any) => toolCallId)
      if (!approved) expect(part).toMatchObject({ state: 'output-denied', approval: { approved: false } })
      if (input?.euros !== 'many') return
      await decided(page, true, { euros: 4 })
      expect(app.paid.map(([euros]) => euros)).toEqual([4])
      await expectEqual(app, page)
    })

    it('after a rejection with a reason', async () => {
      const { app, page, sent } = await begun([calling('pay'), 'As you wish.'])
      await sent
      const { id } = page.messages[1].parts.at(-1).approval
      await page.addToolApprovalResponse({ id, approved: false, reason: 'Too dear.' })
      await expect.poll(() => lastText(page)).toBe('As you wish.')
      await expect.poll(() => page.status).toBe('ready')
      await expectEqual(app, page)
    })

    it('after an error that the page reports for its own call', async () => {
      const { app, page, sent } = await begun([calling('choose', 5), 'Pity.'])
      await sent
      const [{ toolCallId, toolName: tool }] = toolsOf(page)
      // AI SDK 6.0.0 has no other function for it.
      const provide = page.addToolOutput ?? page.addToolResult
      await provide({ tool, toolCallId, state: 'output-error', errorText: 'The camera is off.' })
      await page.sendMessage()
      await expect.poll(() => lastText(page)).toBe('Pity.')
      expect(toolsOf(page)).toMatchObject([{ state: 'output-error', errorText: 'Error: The camera is off.' }])
      await expectEqual(app, page)
    })

    it('after the result of a call of the page', async () => {
      const { app, page, sent } = await begun([calling('choose', 5), 'Green.'])
      await sent
      const [{ toolCallId, toolName, state, input }] = toolsOf(page)
      expect([toolName, state, input]).toEqual(['choose', 'input-available', { euros: 5 }])
      await (page.addToolOutput ?? page.addToolResult)({ tool: toolName, toolCallId, output: 'green' })
      await page.sendMessage()
      await expect.poll(() => lastText(page)).toBe('Green.')
      await expectEqual(app, page)
    })

    it.each([
      [undefined, 'The tool failed.'],
      [({ code }: { code: string | null }) => `Sorry (${code}).`, 'Sorry (tool_execution).'],
    ])('after an error of a tool, whose text only the model gets', async (onError, errorText) => {
      const app = await appOf(kind, [calling('fail'), 'Later, then.'], { onError })
      const page = clientOf(client, () => app.route)
      await page.sendMessage({ text: 'Pay!' })
      expect(toolsOf(page)).toMatchObject([{ state: 'output-error', errorText }])
      expect(JSON.stringify(app.llm.calls[1]!.messages)).toContain('connect postgres')
      await expectEqual(app, page)
    })

    it('after a stop', async () => {
      const { app, page, sent } = await begun([['Once ', new Promise<string>(() => {})]], 'Tell me a story.')
      await expect.poll(() => lastText(page)).toBe('Once')
      await stop(app)
      await sent
      await expectEqual(app, page)
      expect(page.messages[1].metadata.state).toBe('stopped')
      // What it used until then, which the provider does not report, is estimated.
      expect(page.messages[1].metadata.usage).toMatchObject({ modelCalls: 1, outputTokens: expect.any(Number) })
      expect(page.messages[1].metadata.usage.outputTokens).toBeGreaterThan(0)
    })

    it('after the decisions about two calls', async () => {
      const { app, page, sent } = await begun([both(), 'Done.'])
      await sent
      await expectEqual(app, page)
      const [first, second] = page.messages[1].parts.filter(({ toolCallId }: Any) => toolCallId)
      await page.addToolApprovalResponse({ id: first.approval.id, approved: true })
      await page.addToolApprovalResponse({ id: second.approval.id, approved: false })
      await expect.poll(() => lastText(page)).toBe('Both.Done.')
      await expect.poll(() => page.status).toBe('ready')
      await expectEqual(app, page)
      expect(page.messages[1].metadata.state).toBe('done')
    })
  })
})

/** The decisions about the calls that wait, in this order: whether one is approved, and the amount of an edit. */
const orders: Record<string, [boolean, unknown?][]> = {
  'an edit': [[true, 7]],
  'an edit that does not fit, and another one': [
    [true, 'many'],
    [true, 7],
  ],
  'an edit that does not fit, and the question as it is': [[true, 'many'], [true]],
  'an edit that does not fit, and a rejection': [[true, 'many'], [false]],
  'two edits that do not fit, and another one': [
    [true, 'many'],
    [true, 'few'],
    [true, 7],
  ],
}
const edited = (order: [boolean, unknown?][]) =>
  order.map(([approved, euros]): [boolean, object?] => [approved, euros === undefined ? undefined : { euros }])

describe.each(['an agent', 'an agent on SQLite', 'durable tasks', 'durable tasks on SQLite'])(
  'with %s, the page and the store are the same',
  (kind) => {
    const begun = async (answers: Parameters<typeof appOf>[1]) => {
      const app = await appOf(kind, answers)
      const page = clientOf(clients.at(-1)!, () => app.route)
      await page.sendMessage({ text: 'Pay!' })
      return { app, page }
    }

    it.each(Object.keys(orders))('after %s, and in later steps', async (name) => {
      const { app, page } = await begun([calling('pay', 5), calling('pay', 6), 'Done.'])
      for (const [approved, input] of edited(orders[name]!)) {
        await decided(page, approved, input)
        await expectEqual(app, page)
      }
      await decided(page, true)
      await expectEqual(app, page)
    })

    it.each([
      'an edit',
      'an edit that does not fit, and another one',
      'an edit that does not fit, and the question as it is',
    ])('after %s, and a stop while the call runs', async (name) => {
      const { app, page } = await begun([calling('hold', 5)])
      const all = edited(orders[name]!)
      for (const [approved, input] of all.slice(0, -1)) await decided(page, approved, input)
      const last = decided(page, ...all.at(-1)!)
      await app.reached
      await stop(app)
      await last
      const shown = ({ type, state, input, approval, data }: Any) => ({ type, state, input, approval, data })
      const loaded = await app.load()
      expect(json(loaded[1]!.parts.map(shown))).toEqual(json(page.messages[1].parts.map(shown)))
    })

    it('after an approval of a call whose tool has changed, which waits again', async () => {
      const { app, page } = await begun([calling('pay', 5), 'Done.'])
      app.deploy({ ...schema, properties: { euros: { type: 'number', maximum: 90 } } })
      await decided(page, true)
      await expectEqual(app, page)
      expect(app.paid).toEqual([])
      const loaded = await pageOf(app, true)
      await expect(validateUIMessages({ messages: loaded.messages })).resolves.toHaveLength(2)
      await decided(loaded, true)
      expect(app.paid.map(([euros]) => euros)).toEqual([5])
      await expectEqual(app, loaded)
    })

    it.each([
      [true, 'output-available'],
      [false, 'output-denied'],
    ])(
      'after an approval of a call whose tool has changed, and a decision about another one: %s',
      async (isApproved, state) => {
        const both = calling('pay')
        ;(both.additionalKwargs['tool_calls'] as object[]).push(
          ...(calling('order', 6).additionalKwargs['tool_calls'] as object[]),
        )
        const { app, page } = await begun([both, 'Done.'])
        app.deploy({ ...schema, properties: { euros: { type: 'number', maximum: 90 } } })
        const [pay, order] = page.messages[1].parts.filter((part: Any) => part.approval)
        await page.addToolApprovalResponse({ id: order.approval.id, approved: isApproved })
        await page.addToolApprovalResponse({ id: pay.approval.id, approved: true })
        await expect.poll(() => page.status).toBe('ready')
        const states = () => page.messages[1].parts.flatMap((part: Any) => (part.approval ? [part.state] : []))
        expect(states()).toEqual(['approval-requested', state])
        await expectEqual(app, page)
        await decided(page, true)
        expect(states()).toEqual(['output-available', state])
        expect(app.paid.map(([euros]) => euros)).toEqual(isApproved ? [6, 5] : [5])
        await expectEqual(app, page)
      },
    )

    describe('after a stop in an approved call whose tool has changed', () => {
      const unknown = 'Interrupted: it is unknown whether this call ran and had its effect. Check before you repeat it.'
      const asked = async () => {
        const { app, page } = await begun([calling('hold', 5), 'Done.'])
        const running = decided(page, true)
        await app.reached
        await stop(app)
        await running
        app.deploy({ ...schema, properties: { euros: { type: 'number', maximum: 90 } } })
        await page.regenerate()
        await expectEqual(app, page)
        return { app, page }
      }
      const problemIn = (page: Any) =>
        page.messages[1].parts.find(({ type }: Any) => type === 'data-approval-problem')?.data.problem
      const callIn = (page: Any) => page.messages[1].parts.find(({ toolCallId }: Any) => toolCallId)
      const read = ({ llm }: Awaited<ReturnType<typeof appOf>>) => {
        const { messages = [] } = llm.calls.at(-1)!
        return messages.filter(({ role }) => role === 'tool').map(({ content }) => content)
      }

      it('which the user rejects: nobody says that it has not run', async () => {
        const { app, page } = await asked()
        expect(problemIn(page)).toBe('The tool has changed. The call may have run already.')
        await decided(page, true, { euros: 7 })
        expect(problemIn(page)).toContain('the call may have run already with those of the question')
        await expectEqual(app, page)
        await decided(page, false)
        const errorText = `${unknown} The user has rejected another attempt.`
        expect(callIn(page)).toMatchObject({ state: 'output-error', errorText })
        expect(read(app)).toEqual([errorText])
        await expectEqual(app, page)
        await page.sendMessage({ text: 'And now?' })
        expect(read(app)).toEqual([errorText])
      })

      it('which waits while the user writes something else', async () => {
        const { app, page } = await asked()
        await page.sendMessage({ text: 'Hello?' })
        expect(read(app)).toEqual([
          'This call waits for a decision of the user. It is unknown whether an interrupted attempt had its effect.',
        ])
        await expectEqual(app, page)
      })

      it('which waits, and is stopped once more', async () => {
        const { app } = await asked()
        await stop(app)
        expect(callIn({ messages: await app.load() })).toMatchObject({ state: 'output-error', errorText: unknown })
        const page = await pageOf(app, true)
        await page.sendMessage({ text: 'Hello?' })
        expect(read(app)).toEqual([unknown])
      })
    })

    const never = new Promise<string>(() => {})
    it.each<[string, ScriptedAnswer[], ((app: Awaited<ReturnType<typeof appOf>>, page: Any) => unknown)?]>([
      ['is done', ['Hello.']],
      ['is done behind a call', [calling('count'), 'Done.']],
      ['is done behind a call that was approved', [calling('pay'), 'Done.'], (_, page) => decided(page, true)],
      ['is done behind a call that was rejected', [calling('pay'), 'Done.'], (_, page) => decided(page, false)],
      ['waits', [calling('count'), calling('pay')]],
      ['has failed', [calling('count'), new Error('The model is down.')]],
      ['was stopped in a text', [calling('count'), ['Once ', never]], (app) => stop(app)],
      ['was stopped in a tool', [calling('hang')], (app) => stop(app)],
      [
        'was stopped in an approved call',
        [calling('hold')],
        (app, page) => {
          const running = decided(page, true)
          return app.reached.then(() => stop(app)).then(() => running)
        },
      ],
    ])('after an answer that %s is sent back without a decision, which is refused', async (_, answers, then) => {
      const app = await appOf(kind, answers)
      const page = await pageOf(app)
      const sent = page.sendMessage({ text: 'Go!' })
      if (JSON.stringify(answers).includes('"hang"')) await app.reached
      else if (answers.some(Array.isArray)) await expect.poll(() => JSON.stringify(page.messages)).toContain('Once')
      else await sent
      await then?.(app, page)
      await sent
      await expectEqual(app, page)
      const asked = app.llm.calls.length
      for (const shown of [page, await pageOf(app, true)]) {
        await shown.sendMessage()
        expect(JSON.parse(shown.error.message)).toMatchObject({ error: { code: 'nothing_waits' } })
        await expectEqual(app, shown)
      }
      expect(app.llm.calls).toHaveLength(asked)
    })

    it('after an edit that the tool converts: they show what runs, also if it is stopped', async () => {
      const { app, page } = await begun([calling('pay'), calling('hold'), 'Done.'])
      const inputs = () => page.messages[1].parts.flatMap(({ input }: Any) => input ?? [])
      await decided(page, true, { euros: '30' })
      expect(app.paid).toMatchObject([[30, expect.any(String)]])
      expect(inputs()[0]).toEqual({ euros: 30 })
      await expectEqual(app, page)
      const last = decided(page, true, { euros: '7' })
      await app.reached
      await stop(app)
      await last
      expect(inputs()).toEqual([{ euros: 30 }, { euros: 7 }])
      await expectEqual(app, page)
    })

    it('after a result of the page that is sent again, because its response was lost', async () => {
      const { app, page } = await begun([calling('choose'), 'Green.'])
      const [call] = page.messages[1].parts.filter(({ toolCallId }: Any) => toolCallId)
      page.addToolOutput({ tool: 'choose', toolCallId: call.toolCallId, output: 'green' })
      const again = await pageOf(app)
      again.messages = structuredClone(page.messages)
      for (const one of [page, again]) {
        await one.sendMessage()
        expect(lastText(one)).toBe('Green.')
        await expectEqual(app, one)
      }
    })

    it('and have what was used, after a stop while a call waits', async () => {
      const { app } = await begun([calling('pay', 5)])
      const used = { modelCalls: 1, outputTokens: expect.any(Number) }
      const turns = () => loadTurns(app.chatStore, 'ann', 'chat')
      expect(await turns()).toMatchObject([{ state: 'waiting', usage: used }])
      await stop(app)
      expect(await turns()).toMatchObject([{ state: 'stopped', usage: used }])
      expect((await app.load())[1]!.metadata).toMatchObject({ usage: used })
    })

    it.each([
      ['a text', [['Once ', new Promise<string>(() => {})]], 'Once'],
      ['a call of the model', [calling('count', 5, 'Let me see.'), new Promise<string>(() => {})], 'Let me see.'],
      ['a tool', [calling('hang', 5, 'Let me see.')], 'it is unknown whether this call ran'],
    ] as [string, ScriptedAnswer[], string][])('after the time limit of the run in %s', async (_, answers, read) => {
      const makeAgent: MakeAgent = (options) =>
        FunctionCallingAgent.fromTools({ ...options, timeouts: { totalMs: 300 } })
      const app = await appOf(kind, [...answers, 'Sorry.'], { makeAgent, onError: ({ code }) => `Sorry (${code}).` })
      const page = await pageOf(app)
      await page.sendMessage({ text: 'Tell me a story.' })
      expect(page.error?.message).toBe('Sorry (deadline_exceeded).')
      expect(page.messages[1].metadata).toEqual({ taskId: expect.any(String), state: 'failed' })
      await expectEqual(app, page)
      expect(await loadTurns(app.chatStore, 'ann', 'chat')).toMatchObject([{ state: 'failed' }])
      await page.sendMessage({ text: 'Go on.' })
      expect(lastText(page)).toBe('Sorry.')
      expect(JSON.stringify(app.llm.calls.at(-1)!.messages)).toContain(read)
      await expectEqual(app, page)
    })

    it.each([
      ['a stop', 'stopped'],
      ['the time limit of the run', 'failed'],
    ])('after %s while it is judged whether a call needs approval', async (_, state) => {
      const begun = Promise.withResolvers<void>()
      const judged = Promise.withResolvers<boolean>()
      const needsApproval = () => {
        begun.resolve()
        return judged.promise
      }
      const sent: unknown[] = []
      const send = FunctionTool.fromDefaults({ name: 'send', schema, needsApproval, fn: (args) => sent.push(args) })
      const written = [
        { type: 'tool-input-start', id: 'c', toolName: 'send' },
        { type: 'tool-input-delta', id: 'c', delta: '{"euros"' },
        { type: 'tool-input-delta', id: 'c', delta: ': 5}' },
        { type: 'tool-input-end', id: 'c' },
        { type: 'tool-call', toolCallId: 'c', toolName: 'send', input: '{"euros": 5}' },
      ]
      const model = streaming(written, textParts)
      const llm = new AiSdkLLM({ model, contextWindow: 100_000 })
      const timeouts = state === 'failed' ? { totalMs: 300 } : {}
      const makeAgent: MakeAgent = (options) =>
        FunctionCallingAgent.fromTools({ ...options, llm, tools: [send], timeouts })
      const app = await appOf(kind, [], { makeAgent })
      const page = await pageOf(app)
      const first = page.sendMessage({ text: 'Send!' })
      await begun.promise
      if (state === 'stopped') await stop(app)
      await first
      const errorText = 'Stopped before this call ran.'
      expect(toolsOf(page)).toMatchObject([{ state: 'output-error', input: { euros: 5 }, errorText }])
      expect(page.messages[1].metadata.state).toBe(state)
      await expectEqual(app, page)
      judged.resolve(false)
      await page.sendMessage({ text: 'And?' })
      expect(lastText(page)).toBe('See there.')
      expect(JSON.stringify(model.doStreamCalls[1]!.prompt)).toContain(errorText)
      await expectEqual(app, page)
      expect(sent).toEqual([])
    })

    it('and have what was used, after an error', async () => {
      const { app, page } = await begun([calling('count', 5), new Error('down')])
      const [turn] = await loadTurns(app.chatStore, 'ann', 'chat')
      expect(turn).toMatchObject({ state: 'failed', usage: { toolCalls: 1 } })
      const cost: number | undefined = turn?.usage?.cost
      expect(cost).toBeUndefined()
      await expectEqual(app, page)
    })

    it('after a call whose arguments are no JSON object, also when the answer continues', async () => {
      const broken = calling('count')
      const [call] = broken.additionalKwargs['tool_calls'] as { function: { arguments: string } }[]
      call!.function.arguments = '{"euros": 5'
      const { app, page } = await begun([broken, new Error('down'), 'Sorry.'])
      await expectEqual(app, page)
      expect(toolsOf(page)).toMatchObject([{ state: 'output-error', input: '{"euros": 5' }])
      await page.regenerate()
      await expectEqual(app, page)
      expect(toolsOf(page)).toMatchObject([{ input: '{"euros": 5' }])
      expect(lastText(page)).toBe('Sorry.')
    })

    it('after an edit that does not fit, with the approval of another call', async () => {
      const { app, page } = await begun([both(), 'Done.'])
      const parts = () => page.messages[1].parts.filter(({ toolCallId }: Any) => toolCallId)
      parts()[0].input = { euros: 'many' }
      for (const { approval } of parts()) await page.addToolApprovalResponse({ id: approval.id, approved: true })
      await expect.poll(() => page.status).toBe('ready')
      await expectEqual(app, page)
      await decided(page, true, { euros: 7 })
      await expect.poll(() => lastText(page)).toBe('Both.Done.')
      await expectEqual(app, page)
    })
  },
)

it('files of the user are loaded with their names and types, and are the same message when the page sends them again', async () => {
  const app = await appOf('an agent', ['See.', 'Again.'])
  const page = await pageOf(app)
  const png = 'data:image/png;base64,iVBORw0KGgo='
  const files = [
    { type: 'file', mediaType: 'image/png', filename: 'bill.png', url: png },
    { type: 'file', mediaType: 'image/webp', url: 'https://example.org/far.webp' },
    { type: 'file', mediaType: 'image/png', filename: 'far.png', url: 'https://example.org/far.png' },
    { type: 'file', mediaType: 'application/pdf', filename: 'bill.pdf', url: 'data:application/pdf;base64,aGk=' },
    { type: 'file', mediaType: 'image/png', url: png },
  ]
  await page.sendMessage({ role: 'user', parts: [...files, { type: 'text', text: 'Look.' }] })
  await expectEqual(app, page)
  const loaded = await pageOf(app, true)
  await loaded.regenerate()
  await expectEqual(app, loaded)
  expect(loaded.messages).toHaveLength(2)
})

it.each([
  () => {
    throw new Error('a fault of onError')
  },
  () => undefined as never,
])('an onError that fails hides no error', async (onError) => {
  const app = await appOf('an agent', [calling('fail'), new Error('down')], { onError })
  const page = await pageOf(app)
  await page.sendMessage({ text: 'Pay!' })
  expect(toolsOf(page)).toMatchObject([{ state: 'output-error', errorText: 'The tool failed.' }])
  expect(page.error?.message).toBe('The agent failed (unknown error).')
  await expectEqual(app, page)
})

it('the sources of an answer are loaded with the page', async () => {
  const model = streaming([
    ...textParts,
    { type: 'source', sourceType: 'url', id: 's', url: 'https://example.org/', title: 'There' },
    { type: 'source', sourceType: 'document', id: 'd', title: 'Doc', mediaType: 'text/plain', filename: 'd.txt' },
  ])
  const agent = FunctionCallingAgent.fromTools({ llm: new AiSdkLLM({ model, contextWindow: 100_000 }), tools: [] })
  const chatStore = new SimpleChatStore()
  const route = chatHandler({ agent, user: () => 'ann', chatStore })
  const page = clientOf(clients.at(-1)!, () => route)
  await page.sendMessage({ text: 'Where?' })
  const types = page.messages[1].parts.map(({ type }: Any) => type)
  expect(types).toEqual(['step-start', 'text', 'source-url', 'source-document'])
  expect(json(await loadUIMessages(chatStore, 'ann', 'chat', { agent }))).toEqual(json(page.messages))
})
