import { AgentTool, FunctionCallingAgent } from '@x/agents'
import { chatKey, loadTurns } from '@x/chats'
import { turnsIn } from '@x/core-model/memory'
import { ScriptedLLM } from '@x/llm/testing'
import { readUIMessageStream } from 'ai'
import { describe, expect, it } from 'vitest'
import { type App, appOf, calling, decided, expectEqual, metadata, pageOf } from '../test/chat-app.ts'
import { type Any, post, toolsOf } from '../test/chat-clients.ts'

/** A turn of the model with these payments. */
const paying = (...euros: number[]) => {
  const [first, ...rest] = euros.map((each) => calling('pay', each))
  const { tool_calls: calls } = first!.additionalKwargs as { tool_calls: object[] }
  calls.push(...rest.flatMap(({ additionalKwargs }) => additionalKwargs['tool_calls'] as object[]))
  return first!
}

const waits = (page: Any) => toolsOf(page).filter(({ state }: Any) => state === 'approval-requested')
const states = (page: Any) => toolsOf(page).map(({ state, input }: Any) => [state, input])
const problems = (page: Any) =>
  page.messages.at(-1).parts.flatMap(({ type, data }: Any) => (type === 'data-approval-problem' ? [data] : []))
const seen = (app: App) => JSON.stringify(app.llm.calls.at(-1)!.messages)

describe.each(['an agent', 'durable tasks'])('decisions, with %s', (kind) => {
  it.each([
    [true, 1],
    [false, 1],
    [true, 2],
    [false, 2],
  ])('about calls of an agent behind a tool have results: approved is %s, at depth %i', async (approved, depth) => {
    const ask = calling('clerk')
    Object.assign((ask.additionalKwargs as Any).tool_calls[0].function, { arguments: '{"input":"pay"}' })
    const behind = (given: Any, agent: FunctionCallingAgent) =>
      FunctionCallingAgent.fromTools({
        ...given,
        tools: [new AgentTool({ agent, name: 'clerk', description: 'Pays.' })],
      })
    const llm = new ScriptedLLM({ metadata, answers: [calling('pay', 1), paying(2, 3), 'It is done.'] })
    const office = new ScriptedLLM({ metadata, answers: [ask, 'The clerk is done.'] })
    const makeAgent = ({ tools, ...rest }: Any) => {
      const clerk = FunctionCallingAgent.fromTools({ llm, tools })
      return behind(rest, depth === 1 ? clerk : behind({ llm: office }, clerk))
    }
    const app = await appOf(kind, [ask, 'Done.'], { makeAgent })
    const page = await pageOf(app)
    await page.sendMessage({ text: 'Pay!' })
    // The client sends each decision by itself, although the call of the agent has no result.
    for (const left of [2, 1, 0]) {
      await decided(page, approved)
      await expect.poll(() => waits(page).length).toBe(left)
      const order = (parts: Any) => parts.map(({ type, toolCallId }: Any) => toolCallId ?? type)
      expect(order((await app.load()).at(-1)!.parts)).toEqual(order(page.messages.at(-1).parts))
    }
    await expect.poll(() => page.messages.at(-1).parts.at(-1).text).toBe('Done.')
    const ended = approved ? 'output-available' : 'output-denied'
    expect(toolsOf(page).map(({ state }: Any) => state)).toEqual(['output-available', ended, ended, ended])
    expect(app.paid.map(([euros]) => euros).sort()).toEqual(approved ? [1, 2, 3] : [])
    await expectEqual(app, page)
  })

  it('are judged by what would run: an edit is one, with its arguments', async () => {
    const asked: Any[] = []
    const mayDecide = (one: Any) => {
      asked.push(one)
      return one.arguments.euros <= 200
    }
    const app = await appOf(kind, [calling('pay', 150), 'Paid.'], { mayDecide })
    const page = await pageOf(app)
    await page.sendMessage({ text: 'Pay!' })
    await decided(page, true, { euros: 99_999 }).catch(() => {})
    expect(page.error.message).toContain('decision_refused')
    const [{ decision }] = asked
    expect(asked).toMatchObject([{ toolName: 'pay', arguments: { euros: 99_999 }, asked: { euros: 150 } }])
    expect(decision).toMatchObject({ type: 'edit', arguments: { euros: 99_999 }, by: 'ann' })
    expect(app.paid).toEqual([])
    const again = await pageOf(app, true)
    expect(states(again)).toEqual([['approval-requested', { euros: 150 }]])
    await decided(again, true, { euros: 20 })
    expect(app.paid.map(([euros]) => euros)).toEqual([20])
    const unchanged = { decision: { type: 'approve' }, arguments: { euros: 7 }, asked: { euros: 7 } }
    const other = await appOf(kind, [calling('pay', 7), 'Paid.'], { mayDecide })
    const third = await pageOf(other)
    await third.sendMessage({ text: 'Pay!' })
    await decided(third, true)
    expect(asked.at(-1)).toMatchObject(unchanged)
  })

  describe('are judged by what the tool receives', () => {
    type Given = { euros?: number | string }
    const made = (validate: (given: Given) => Given): Any => ({
      '~standard': {
        version: 1,
        vendor: 'own',
        validate: (given: Given) => ({ value: { ...given, ...validate(given) } }),
      },
    })
    const withDefault = made(({ euros = 99_999 }) => ({ euros }))
    const converted = made(({ euros }) => ({ euros: Number(euros) }))
    const cents = made(({ euros }) => ({ euros: 100 * Number(euros) }))
    const call = (args: string) => {
      const message = calling('pay')
      Object.assign((message.additionalKwargs as Any).tool_calls[0].function, { arguments: args })
      return message
    }
    const judged = async (payments: Any, args: string) => {
      const asked: Any[] = []
      const mayDecide = (one: Any) => asked.push(one.arguments) > 0 && !(one.arguments.euros > 200)
      const app = await appOf(kind, [call(args), 'Paid.'], { mayDecide, payments })
      const page = await pageOf(app)
      await page.sendMessage({ text: 'Pay!' })
      return { app, page, asked }
    }

    it.each([
      ['a default value', withDefault, '{}', { euros: 99_999 }, { euros: 99_999 }],
      ['a converted string', converted, '{"euros":"99999"}', { euros: 99_999 }, { euros: 99_999 }],
      ['a transform', cents, '{"euros":5}', { euros: 500 }, { euros: 5 }],
    ])('with %s', async (_, payments, args, received, shown) => {
      const { app, page, asked } = await judged(payments, args)
      expect(states(page)).toEqual([['approval-requested', shown]])
      expect(await app.load()).toEqual(page.messages)
      await decided(page, true).catch(() => {})
      expect(page.error.message).toContain('decision_refused')
      expect(asked).toEqual([received])
      expect(app.paid).toEqual([])
    })

    it.each([
      ['a default value', withDefault, '{"euros":150}', {}, 99_999],
      ['a converted string', converted, '{"euros":150}', { euros: '150' }, 150],
      ['a transform', cents, '{"euros":1}', { euros: 150 }, 15_000],
    ])('and an edit with %s is refused with what would run', async (_, payments, args, edit, euros) => {
      const { app, page } = await judged(payments, args)
      await decided(page, true, edit)
      expect(problems(page)[0].problem).toContain(`{"euros":${euros}}`)
      expect(await app.load()).toEqual(page.messages)
      expect(app.paid).toEqual([])
    })

    it('and what was shown is what runs, on the page and in the store', async () => {
      const { app, page } = await judged(converted, '{"euros":"150"}')
      await decided(page, true)
      expect(app.paid.map(([euros]) => euros)).toEqual([150])
      expect(states(page)).toEqual([['output-available', { euros: 150 }]])
      await expect.poll(() => app.load()).toEqual(page.messages)
    })
  })

  it('are judged where the call waits, also if the store of the chat does not say so', async () => {
    const app = await appOf(kind, [calling('pay', 500), 'Paid.'], {
      mayDecide: ({ arguments: { euros } }) => Number(euros) <= 200,
    })
    const page = await pageOf(app)
    await page.sendMessage({ text: 'Pay!' })
    // The process ended before it wrote that.
    await turnsIn(app.chatStore).begin(chatKey('ann', 'chat'), undefined, ([turn]) => [
      { ...turn!, state: 'open', waiting: undefined },
    ])
    await decided(page, true).catch(() => {})
    expect(page.error?.message).toContain('decision_refused')
    expect(app.paid).toEqual([])
  })

  // The process of the route has no tools of durable tasks: there mayDecide is asked about what the page sent.
  it.runIf(kind === 'an agent').each([{}, { euros: 'many' }])(
    'with arguments %j, which do not fit, are refused with the reason, whatever mayDecide says of them',
    async (edit) => {
      const asked: Any[] = []
      const mayDecide = (one: Any) => asked.push(one) > 0 && one.arguments.euros <= 200
      const app = await appOf(kind, [calling('pay', 5), 'Paid.'], { mayDecide })
      const page = await pageOf(app)
      await page.sendMessage({ text: 'Pay!' })
      await decided(page, true, edit)
      expect(page.error).toBeUndefined()
      expect(problems(page)[0].problem).toContain('euros')
      expect(asked).toEqual([])
      expect(await app.load()).toEqual(page.messages)
      await decided(page, true, { euros: 7 })
      expect(app.paid.map(([euros]) => euros)).toEqual([7])
    },
  )

  it('about a call of which it could not be judged whether it needs approval say so, without the text of the error', async () => {
    const app = await appOf(kind, [calling('order', 5), 'Ordered.'])
    const page = await pageOf(app)
    await page.sendMessage({ text: 'Order!' })
    const { toolCallId } = toolsOf(page)[0]
    const problem = 'It could not be judged whether this call needs approval.'
    expect(problems(page)).toEqual([{ toolCallId, problem }])
    expect(JSON.stringify(page.messages)).not.toContain('hunter2')
    await expectEqual(app, page)
    await decided(page, true)
    expect(page.error).toBeUndefined()
    expect(app.paid.map(([euros]) => euros)).toEqual([5])
    await expectEqual(app, page)
  })

  it('with arguments that do not fit are refused with the reason, and the call still waits', async () => {
    const app = await appOf(kind, [calling('pay', 5), 'Not yet.', 'Paid.'])
    const page = await pageOf(app)
    await page.sendMessage({ text: 'Pay!' })
    await decided(page, true, { euros: 'many' })
    expect(page.error).toBeUndefined()
    expect(states(page)).toEqual([['approval-requested', { euros: 5 }]])
    const { toolCallId } = toolsOf(page)[0]
    expect(problems(page)).toEqual([{ toolCallId, problem: expect.stringContaining('euros') }])
    expect(await app.load()).toEqual(page.messages)
    const other = await pageOf(app, true)
    await other.sendMessage({ text: 'Did you?' })
    expect(seen(app)).toContain('waits for a decision')
    expect(seen(app)).not.toContain('Interrupted')
    await decided(page, true, { euros: 6 })
    expect(app.paid.map(([euros]) => euros)).toEqual([6])
  })

  it('that cannot be stored leave the call as it is', async () => {
    const app = await appOf(kind, [calling('pay', 5), 'Paid.'])
    const page = await pageOf(app)
    await page.sendMessage({ text: 'Pay!' })
    const repair = app.breakTasks()
    await decided(page, true).catch(() => {})
    repair()
    expect(states(await pageOf(app, true))).toEqual([['approval-requested', { euros: 5 }]])
    await decided(await pageOf(app, true), true)
    expect(app.paid).toHaveLength(1)
  })

  it('about one of two calls leave the other one as it is, on the page and in the store', async () => {
    const app = await appOf(kind, [paying(1, 2), 'Paid.'])
    const first = await pageOf(app)
    await first.sendMessage({ text: 'Pay both!' })
    /** Sends a decision about one call alone, and reads the answer as `useChat` does. */
    const decide = async (message: Any, place: number, approval: object, input?: object): Promise<Any> => {
      const tools = message.parts.filter(({ toolCallId }: Any) => toolCallId)
      const one = tools[place]
      const parts = message.parts.map((part: Any) =>
        part === one
          ? {
              ...part,
              ...(input && { input }),
              state: 'approval-responded',
              approval: { ...part.approval, ...approval },
            }
          : part,
      )
      const response = await app.route(post({ id: 'chat', messages: [{ ...message, parts }] }))
      const chunks = (await response.text())
        .split('\n\n')
        .flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []))
      let answer: Any = { ...message, parts }
      const stream = new ReadableStream({
        start(controller) {
          for (const chunk of chunks) controller.enqueue(chunk)
          controller.close()
        },
      })
      for await (const next of readUIMessageStream({ stream: stream as Any, message: structuredClone(answer) }))
        answer = next
      return answer
    }
    const asked = first.messages.at(-1)
    const half = await decide(asked, 0, { approved: true }, { euros: 3 })
    const shown = half.parts.flatMap(({ state, input, approval }: Any) =>
      state && approval ? [[state, input, approval.approved]] : [],
    )
    expect(shown).toEqual([
      ['approval-responded', { euros: 3 }, true],
      ['approval-requested', { euros: 2 }, undefined],
    ])
    await expect.poll(async () => (await app.load()).at(-1)).toEqual(half)
    expect(app.paid).toEqual([])
    const whole = await decide(half, 1, { approved: false, reason: 'no' })
    await expect.poll(() => app.paid.map(([euros]) => euros)).toEqual([3])
    await expect.poll(async () => (await loadTurns(app.chatStore, 'ann', 'chat'))[0]?.state).toBe('done')
    expect(whole.parts.filter(({ toolCallId }: Any) => toolCallId)).toHaveLength(2)
  })
})
