import { AgentRunner, ReActAgent } from '@x/agents'
import { JsonProtocol, ToolLoopWorker } from '@x/agents/protocol'
import { loadTurns } from '@x/chats'
import { describe, expect, it } from 'vitest'
import { appOf, decided, expectEqual, type MakeAgent, pageOf, schema, stop } from '../test/chat-app.ts'
import { type Any, clientOf, clients, lastText, toolsOf } from '../test/chat-clients.ts'

/** A protocol whose messages have no calls, and how its model writes calls and answers. */
interface TextProtocol {
  name: string
  makeAgent: MakeAgent
  call: (name: string, euros?: unknown) => string
  say: (text: string) => string
  unreadable: string
}

const protocols: TextProtocol[] = [
  {
    name: 'ReAct',
    makeAgent: (options) => ReActAgent.fromTools(options),
    call: (name, euros = 5) => `Thought: I call it.\nAction: ${name}\nAction Input: ${JSON.stringify({ euros })}`,
    say: (text) => `Thought: I know.\nAnswer: ${text}`,
    unreadable: 'Thought: I call it.\nAction: mail\nAction Input: now',
  },
  {
    name: 'JSON',
    makeAgent: ({ taskStore, ...loop }) =>
      new AgentRunner({ agentWorker: new ToolLoopWorker({ ...loop, protocol: new JsonProtocol() }), taskStore }),
    call: (tool, euros = 5) => JSON.stringify({ tool, arguments: { euros } }),
    say: (answer) => JSON.stringify({ answer }),
    unreadable: '{"a": 1',
  },
]
const kinds = ['an agent', 'an agent on SQLite', 'durable tasks', 'durable tasks on SQLite']
const cases = protocols.flatMap((protocol) => kinds.map((kind) => ({ ...protocol, kind })))

describe.each(cases)('with the protocol $name and $kind, the page and the store are the same', (given) => {
  const { kind, makeAgent, call, say, unreadable } = given
  const begun = async (...answers: Parameters<typeof appOf>[1]) => {
    const app = await appOf(kind, answers, { makeAgent })
    const page = clientOf(clients.at(-1)!, () => app.route)
    const sent = page.sendMessage({ text: 'Pay!' })
    return { app, page, sent }
  }
  const states = (page: Any) => toolsOf(page).map(({ toolName, state }) => `${toolName} ${state}`)

  it('after tools, one of which fails, and text that cannot be read', async () => {
    const { app, page, sent } = await begun(call('mail'), unreadable, call('fail'), call('none'), say('Sent.'))
    await sent
    expect(states(page)).toEqual(['mail output-available', 'fail output-error', 'none output-error'])
    await expectEqual(app, page)
    await page.sendMessage({ text: 'Thanks' })
  })

  it.each([
    ['an approval', [[true]]],
    ['a rejection', [[false]]],
    ['an edit', [[true, { euros: 7 }]]],
    [
      'an edit that does not fit, and another one',
      [
        [true, { euros: 'many' }],
        [true, { euros: 7 }],
      ],
    ],
  ] as [string, [boolean, object?][]][])('after %s', async (_, order) => {
    const { app, page, sent } = await begun(call('count'), call('pay'), say('Done.'))
    await sent
    await expectEqual(app, page)
    for (const [approved, input] of order) {
      await decided(page, approved, input)
      await expectEqual(app, page)
    }
    expect(lastText(page)).toBe('Done.')
    expect(toolsOf(page).map(({ approval }) => approval?.approved)).toEqual([undefined, order.at(-1)![0]])
    expect((await app.load())[1]!.parts).toHaveLength(page.messages[1].parts.length)
    expect(await loadTurns(app.chatStore, 'ann', 'chat')).toMatchObject([{ state: 'done' }])
  })

  it('after calls of two turns, whose ids differ: a page knows its calls by them', async () => {
    const { app, page, sent } = await begun(call('count'), say('Five.'), call('choose'), say('Green.'))
    await sent
    await page.sendMessage({ text: 'Which one?' })
    const [{ toolCallId }] = toolsOf(page)
    await page.addToolOutput({ tool: 'choose', toolCallId, output: 'green' })
    await page.sendMessage()
    await expect.poll(() => lastText(page)).toBe('Green.')
    await expectEqual(app, page)
  })

  it('after an approval on a loaded page', async () => {
    const { app, sent } = await begun(call('pay'), say('Done.'))
    await sent
    const loaded = await pageOf(app, true)
    await decided(loaded, true)
    expect(app.paid).toHaveLength(1)
    await expectEqual(app, loaded)
  })

  it('after a stop while a call runs', async () => {
    const { app, page, sent } = await begun(call('count'), call('hang'))
    await app.reached
    await stop(app)
    await sent
    await expectEqual(app, page)
    expect(states(page)).toEqual(['count output-available', 'hang output-error'])
  })

  it('after a stop while a call waits', async () => {
    const { app, sent } = await begun(call('pay'))
    await sent
    await stop(app)
    const [, answer] = await app.load()
    expect(answer!.parts).toMatchObject([{}, { toolName: 'pay', errorText: 'Stopped before this call ran.' }])
  })

  it('after reasoning', async () => {
    const thinking = '<think>Let me see.</think>'
    const { app, page, sent } = await begun(`${thinking}${call('count')}`, `${thinking}${say('Five.')}`)
    await sent
    // The ids of blocks are those of one stream.
    for (const part of page.messages[1].parts) delete part.id
    const reasoning = page.messages[1].parts.filter(({ type }: Any) => type === 'reasoning')
    expect(reasoning).toHaveLength(makeAgent === protocols[0]!.makeAgent ? 2 : 0)
    await expectEqual(app, page)
  })

  it.each(['the same', 'another'])('after an error, and when %s process continues the answer', async (which) => {
    const { app, page, sent } = await begun(call('mail'), new Error('down'), call('count'), say('Sent.'))
    await sent
    await expectEqual(app, page)
    if (which === 'another') app.deploy(schema)
    await page.regenerate()
    await expect.poll(() => lastText(page)).toBe('Sent.')
    expect(app.paid).toHaveLength(1)
    await expectEqual(app, page)
  })
})
