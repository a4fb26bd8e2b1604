import { ChatMessage } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { chatServer } from '../testing/chat-server.ts'
import { workspace } from '../testing/workspace.ts'
import { OpenAiModel } from './open-ai-model.ts'

const FRUIT = '# Fruit\n\n| name | price |\n|---|---|\n| apple | 2.40 |\n'
const QUESTION = ['fruit.md', 'What does an apple cost?', '--model', 'tiny', '--base-url']

describe('ask with a server', () => {
  it('lets the model call tools and streams its answer', async () => {
    const texts = [
      'Thought: I look into the documents.\nAction: search_text\nAction Input: {"query": "apple price"}',
      'Thought: I read the row.\nAction: look_into_table\nAction Input: {"table": "fruit.md#2", "row": "apple", "column": "price"}',
      'Thought: I know it.\nAnswer: An apple costs 2.40 (fruit.md:5).',
    ]
    const { baseUrl, requests } = await chatServer(() => texts.shift())
    const { run } = await workspace({ 'fruit.md': FRUIT })
    const { exitCode, stdout } = await run([...QUESTION, baseUrl], { env: { OPENAI_API_KEY: 'secret' } })
    expect(stdout).toContain('Model: tiny')
    expect(stdout).toContain('look_into_table {"table":"fruit.md#2","row":"apple","column":"price"}')
    expect(stdout).toContain('Answer\nAn apple costs 2.40 (fruit.md:5).\n\nSources\n  fruit.md:5  Fruit')
    expect(stdout).not.toContain('secret')
    expect(exitCode).toBe(0)
    expect(requests).toHaveLength(3)
    expect(requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      authorization: 'Bearer secret',
      model: 'tiny',
      stream: true,
    })
    expect(requests[0]!.messages[0]!.content).toContain('> Tool Name: look_into_table')
    expect(requests[2]!.messages.at(-1)!.content).toMatch(/^Observation: .*2\.40/)
  })

  it('lists all places that the tools returned when the model cites none', async () => {
    const texts = [
      'Thought: look\nAction: search_text\nAction Input: {"query": "apple"}',
      'Thought: known\nAnswer: 2.40',
    ]
    const { baseUrl } = await chatServer(() => texts.shift())
    const { run } = await workspace({ 'fruit.md': FRUIT })
    expect(JSON.parse((await run([...QUESTION, baseUrl, '--json'])).stdout)).toMatchObject({
      model: { name: 'tiny', standIn: false },
      answer: '2.40',
      sources: [
        { file: 'fruit.md', line: 5 },
        { file: 'fruit.md', line: 3, endLine: 5 },
      ],
    })
  })

  it('reports errors of tool calls to the model and to the user', async () => {
    const texts = [
      'Thought: guess\nAction: look_into_table\nAction Input: {"table": "nowhere"}',
      'Thought: no luck\nAnswer: I do not know.',
    ]
    const { baseUrl, requests } = await chatServer(() => texts.shift())
    const { run } = await workspace({ 'fruit.md': FRUIT })
    const { stdout } = await run([...QUESTION, baseUrl])
    expect(stdout).toContain('Error: table "nowhere" does not exist; search for a table first.')
    expect(requests[1]!.messages.at(-1)!.content).toContain('does not exist')
  })

  it('reads the server from environment variables', async () => {
    const { baseUrl } = await chatServer(() => 'Thought: known\nAnswer: 2.40')
    const { run } = await workspace({ 'fruit.md': FRUIT })
    const env = { ASK_MARKDOWN_BASE_URL: baseUrl, ASK_MARKDOWN_MODEL: 'small' }
    expect((await run(['fruit.md', 'What does an apple cost?'], { env })).stdout).toContain('Model: small')
  })

  const json = (status: number, body: string) => (_: unknown, response: import('node:http').ServerResponse) => {
    response.statusCode = status
    response.end(body)
    return undefined
  }
  it.each([
    [
      'rejects the key',
      json(401, '{"error":{"message":"bad key"}}'),
      'rejects the key (HTTP 401): bad key. Is OPENAI_API_KEY set and correct?',
    ],
    [
      'does not know the model',
      json(404, '{"error":"model tiny not found"}'),
      'does not know this address or model (HTTP 404): model tiny not found. Are --base-url and --model correct?',
    ],
    ['is rate limited', json(429, 'slow down'), 'is rate limited (HTTP 429): slow down. Continue later with --resume.'],
    ['is broken', json(500, '<html>oops</html>'), 'returned HTTP 500.'],
    ['is no chat server', json(200, '<html>hello</html>'), 'did not return a stream of chat completions.'],
    ['sends broken events', json(200, 'data: {"choices\n\n'), 'did not return JSON.'],
    [
      'reports an error in the stream',
      json(200, 'data: {"error":{"message":"out of memory"}}\n\n'),
      'reports an error: out of memory.',
    ],
    ['sends nothing', () => undefined, 'sent no data for 0.2 s. --timeout sets this limit.'],
    [
      'stops in the middle',
      (_: unknown, response: import('node:http').ServerResponse) => {
        response.write('data: {"choices":[{"delta":{"content":"Thought: "}}]}\n\n')
        return undefined
      },
      'sent no data for 0.2 s.',
    ],
    [
      'disconnects in the middle',
      (_: unknown, response: import('node:http').ServerResponse) => {
        response.write('data: {"choices":[{"delta":{"content":"Thought: "}}]}\n\n', () => response.destroy())
        return undefined
      },
      'cannot be reached',
    ],
  ])('exits with code 4 when the server %s', async (_, answer, message) => {
    const { baseUrl } = await chatServer(answer)
    const { run } = await workspace({ 'fruit.md': FRUIT })
    const { exitCode, stderr } = await run([...QUESTION, baseUrl, '--timeout', '0.2'])
    expect(stderr).toContain(`The model server ${baseUrl} ${message}`)
    expect(exitCode).toBe(4)
  })

  it('exits with code 5 when the model returns no answer', async () => {
    const { baseUrl } = await chatServer(() => 'Thought: hm\nAnswer: ')
    const { run } = await workspace({ 'fruit.md': FRUIT })
    expect(await run([...QUESTION, baseUrl])).toMatchObject({ exitCode: 5, stderr: 'The model returned no answer.\n' })
    expect((await run(['--resume'])).stderr).toContain('no unfinished run')
  })

  it('asks for an answer when the model keeps calling tools', async () => {
    const { baseUrl, requests } = await chatServer(({ messages }) =>
      messages.at(-1)!.content.startsWith('No more tools')
        ? 'Thought: enough\nAnswer: 2.40'
        : `Thought: more\nAction: search_text\nAction Input: {"query": "${messages.length}"}`,
    )
    const { run } = await workspace({ 'fruit.md': FRUIT })
    const { exitCode, stdout } = await run([...QUESTION, baseUrl])
    expect(stdout).toContain('Answer\n2.40')
    expect(exitCode).toBe(0)
    expect(requests).toHaveLength(21)
  })

  it('stops at once when the signal is aborted', async () => {
    const controller = new AbortController()
    const { baseUrl } = await chatServer(() => {
      controller.abort()
      return undefined
    })
    const { run } = await workspace({ 'fruit.md': FRUIT })
    expect((await run([...QUESTION, baseUrl], { signal: controller.signal })).exitCode).toBe(130)
  })
})

describe('OpenAiModel', () => {
  it('returns complete answers for chats and completions', async () => {
    const { baseUrl, requests } = await chatServer(() => 'Hello.')
    const llm = new OpenAiModel({ baseUrl, model: 'tiny', timeoutMs: 1000 })
    expect((await llm.chat([new ChatMessage({ content: 'Hi' })])).message.content).toBe('Hello.')
    expect((await llm.complete('Hi')).text).toBe('Hello.')
    expect(requests.map(({ stream, authorization }) => [stream, authorization])).toEqual([
      [false, undefined],
      [false, undefined],
    ])
  })

  it('rejects a response that is not a chat completion', async () => {
    const { baseUrl } = await chatServer((_, response) => void response.end('{"choices":[]}'))
    const llm = new OpenAiModel({ baseUrl, model: 'tiny', timeoutMs: 1000 })
    await expect(llm.complete('Hi')).rejects.toThrow('did not return a chat completion.')
  })
})
