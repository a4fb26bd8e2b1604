import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Answer, chunk, eventText, json, LoopbackServer, pieces } from '../../../tools/loopback-model-server.ts'
import { workspace } from './testing/workspace.ts'

const FRUIT = '# Fruit\n\n| name | price |\n|---|---|\n| apple | 2.40 |\n'

/** A server with these answers, and the arguments that name it. */
async function serverOf(...answers: Answer[]) {
  const server = new LoopbackServer().willAnswer(...answers)
  const baseUrl = await server.start()
  onTestFinished(() => server.stop())
  const { run, folder } = await workspace({ 'fruit.md': FRUIT })
  const ask = (...more: string[]) =>
    run(['fruit.md', 'What does an apple cost?', '--model', 'tiny', '--base-url', baseUrl, ...more], {
      env: { OPENAI_API_KEY: 'secret' },
    })
  return { server, baseUrl, ask, run, folder }
}

const stream = (...chunks: object[]) => pieces([eventText(chunks)])
const said = (text: string, finish = 'stop', rest: object = {}) =>
  stream(...(text.match(/.{1,7}/gs) ?? []).map((content) => chunk({ content })), chunk({}, finish, rest))
const call = (name: string, input: object, text = '') =>
  stream(
    chunk({ content: text }),
    chunk({
      tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name, arguments: JSON.stringify(input) } }],
    }),
    chunk({}, 'tool_calls', { usage: { prompt_tokens: 1000, completion_tokens: 20, total_tokens: 1020 } }),
  )
const search = call('search_text', { query: 'apple price' }, 'I search.')

describe('ask with a model that calls tools', () => {
  it('runs the tools, streams the answer and names sources and usage', async () => {
    const { ask, server } = await serverOf(
      search,
      call('look_into_table', { table: 'fruit.md#2', row: 'apple', column: 'price' }),
      said('An apple costs 2.40 (fruit.md:5).', 'stop', {
        usage: { prompt_tokens: 500, completion_tokens: 9, total_tokens: 509 },
      }),
    )
    const { stdout, exitCode } = await ask()
    expect(exitCode).toBe(0)
    expect(stdout).toContain('Model: tiny')
    expect(stdout).toContain('1 I search.\n  search_text {"query":"apple price"}')
    expect(stdout).toContain('→ 1 of 1 row: apple | 2.40 (fruit.md:5)')
    expect(stdout).toContain('Answer\nAn apple costs 2.40 (fruit.md:5).\n\nSources\n  fruit.md:5  Fruit')
    expect(stdout).toContain('Usage: 3 model calls, 2,500 tokens in, 49 out')
    expect(stdout).not.toContain('secret')
    expect(server.requests[0]).toMatchObject({ headers: { authorization: 'Bearer secret' }, body: { model: 'tiny' } })
    expect(server.requests[0]!.body.tools).toHaveLength(2)
  })

  it('marks sources that were invented', async () => {
    const { ask } = await serverOf(search, said('2.40 (fruit.md:5), see nowhere.md:12.'))
    expect((await ask()).stdout).toContain(
      'Sources\n  fruit.md:5  Fruit\n  nowhere.md:12  not among the passages that were read',
    )
    const json = await serverOf(search, said('See nowhere.md:12-14.'))
    expect(JSON.parse((await json.ask('--json')).stdout)).toMatchObject({
      sources: [{ file: 'fruit.md' }, { file: 'fruit.md' }],
      unreadSources: [{ file: 'nowhere.md', line: 12, endLine: 14 }],
      usage: { modelCalls: 2, inputTokens: 1000 },
    })
  })

  it('does not report text before a tool call as the answer, at any length', async () => {
    const long = 'I think about it. '.repeat(30)
    const { ask } = await serverOf(call('search_text', { query: 'apple' }, long), said('2.40 (fruit.md:5)'))
    const { stdout } = await ask()
    expect(stdout).toContain('(That was not the answer yet.)')
    expect(stdout).toMatch(/Answer\n2\.40 \(fruit\.md:5\)\n\nSources/)
    const again = await serverOf(call('search_text', { query: 'apple' }, long), said('2.40 (fruit.md:5)'))
    expect(JSON.parse((await again.ask('--json')).stdout).answer).toBe('2.40 (fruit.md:5)')
  })

  it('does not report the reasoning of the model as its answer', async () => {
    const thinking = stream(
      chunk({ reasoning_content: 'It is cheap.' }),
      chunk({ content: 'It is 2.40.' }),
      chunk({}, 'stop'),
    )
    expect((await (await serverOf(thinking)).ask()).stdout).toMatch(/Answer\nIt is 2\.40\.\n/)
  })

  it('reports errors of tool calls to the model and to the user', async () => {
    const { ask, server } = await serverOf(call('look_into_table', { table: 'nowhere' }), said('I do not know.'))
    expect((await ask()).stdout).toContain('Error: table "nowhere" does not exist; search for a table first.')
    expect(server.requests[1]!.body.messages.at(-1)).toMatchObject({
      role: 'tool',
      content: expect.stringContaining('does not exist'),
    })
  })

  it('continues a conversation', async () => {
    const { run, baseUrl, server } = await serverOf(said('It costs 2.40.'), said('In fruit.md.'))
    const stdin = (async function* () {
      yield new TextEncoder().encode('What does an apple cost?\nWhere does it say so?\n')
    })()
    const { stdout } = await run(['--chat', 'fruit.md', '--model', 'tiny', '--base-url', baseUrl], { stdin })
    expect(stdout).toContain('It costs 2.40.')
    expect(stdout).toContain('In fruit.md.')
    expect(server.requests[1]!.body.messages.map(({ role }: { role: string }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
    ])
  })
})

describe('ask with a model that reads tools in the prompt', () => {
  const asText = ['--text-tools']
  it('reads actions from its text', async () => {
    const { ask, server } = await serverOf(
      said('Thought: I look.\nAction: search_text\nAction Input: {"query": "apple price"}'),
      said('<think>The user wants the price.</think>\nThought: I know it.\nAnswer: An apple costs 2.40 (fruit.md:5).'),
    )
    const { stdout } = await ask(...asText)
    expect(stdout).toContain('1 I look.\n  search_text {"query":"apple price"}')
    expect(stdout).toContain('Answer\nAn apple costs 2.40 (fruit.md:5).\n')
    expect(server.requests[0]!.body.tools).toBeUndefined()
    expect(server.requests[0]!.body.messages[0].content).toContain('Tool Name: look_into_table')
  })

  it.each([
    ['<think> I should search.\n</think>\nThought: I look.\nAction: search_text\nAction Input: {"query": "apple"}'],
    ['Sure, let me look.\n\nThought: I look.\nAction: search_text\nAction Input: {"query": "apple"}'],
  ])('does not take the action %j for the answer', async (text) => {
    const { ask } = await serverOf(said(text), said('Thought: I know.\nAnswer: 2.40 (fruit.md:5)'))
    const { stdout, exitCode } = await ask(...asText)
    expect(exitCode).toBe(0)
    expect(stdout).toContain('search_text {"query":"apple"}')
    expect(stdout.slice(stdout.indexOf('\nAnswer\n'))).toMatch(/^\nAnswer\n2\.40 \(fruit\.md:5\)\n/)
  })

  it('asks again when a reply is neither an action nor an answer', async () => {
    const bold = '**Thought:** I look.\n**Action:** search_text\n**Action Input:** {"query": "apple"}'
    const { ask } = await serverOf(said(bold), said('Thought: I know.\nAnswer: 2.40'))
    const { stdout } = await ask(...asText)
    expect(stdout.slice(stdout.indexOf('\nAnswer\n'))).toMatch(/^\nAnswer\n2\.40\n/)
  })

  it('asks for an answer when the model keeps calling tools', async () => {
    const more = Array.from({ length: 20 }, (_, n) =>
      said(`Thought: more\nAction: search_text\nAction Input: {"query": "${n}"}`),
    )
    const { ask, server } = await serverOf(...more, said('Thought: enough\nAnswer: 2.40'))
    expect((await ask(...asText)).stdout).toContain('Answer\n2.40')
    expect(server.requests).toHaveLength(21)
  })
})

describe('ask with a bad server', () => {
  const raw =
    (status: number, body: string): Answer =>
    (response) =>
      void response.writeHead(status).end(body)
  const events = (text: string, end: 'end' | 'destroy' = 'end') => pieces([text], { end })
  const thrice = (answer: Answer) => [answer, answer, answer]
  const begun = 'data: {"choices":[{"index":0,"delta":{"content":"An apple costs 2."}}]}\n\n'

  it.each<[string, Answer[], number, RegExp]>([
    [
      'rejects the key',
      [json({ error: { message: 'bad key' } }, 401)],
      4,
      /rejects the key \(HTTP 401\): bad key\. Is OPENAI_API_KEY/,
    ],
    [
      'does not know the model',
      [json({ error: 'model tiny not found' }, 404)],
      4,
      /does not know this address or model \(HTTP 404\): model tiny not found/,
    ],
    [
      'knows no tools',
      [json({ error: { message: 'tiny does not support tools' } }, 400)],
      4,
      /refuses the request \(HTTP 400\): tiny does not support tools\. If the model has no tool calls, pass --text-tools\./,
    ],
    [
      'finds the request too long',
      [json({ error: { message: 'too long', code: 'context_length_exceeded' } }, 400)],
      4,
      /too long for the model/,
    ],
    [
      'stays rate limited',
      thrice(json({ error: { message: 'slow down' } }, 429)),
      4,
      /is rate limited \(HTTP 429\): slow down\. Continue later with --resume/,
    ],
    ['stays broken', thrice(raw(500, '<html>oops</html>')), 4, /failed \(HTTP 500\)/],
    ['is not a chat server', [raw(200, '<html>hello</html>')], 4, /The model server http/],
    ['sends broken events', [events('data: {"choices\n\n')], 4, /expected JSON/],
    ['reports an error in the stream', [events('data: {"error":{"message":"out of memory"}}\n\n')], 4, /out of memory/],
    ['breaks the connection in the middle of an answer', [events(begun, 'destroy')], 4, /closed the connection/],
    ['ends the answer without saying so', [events(begun)], 4, /the stream ended before the model was done/],
    [
      'cuts the answer at a limit',
      [said('An apple costs 2.', 'length')],
      5,
      /The answer was cut at the token limit of the model\. It began: “An apple costs 2\.”/,
    ],
    ['filters the answer', [said('', 'content_filter')], 5, /stopped by a content filter/],
    ['returns nothing', [said('')], 5, /returned no answer/],
    ['sends nothing at all', thrice(() => {}), 4, /sent no data for 0\.3 s\. --timeout sets this limit/],
  ])('that %s', async (_, answers, code, message) => {
    const { ask } = await serverOf(...answers)
    const { exitCode, stderr, stdout } = await ask('--timeout', '0.3')
    expect(stderr).toMatch(message)
    expect(exitCode).toBe(code)
    expect(stdout + stderr).not.toContain('secret')
    expect(stdout).not.toContain('Sources')
  })

  it.each<[string, Answer]>([
    ['is rate limited', json({ error: { message: 'slow down' } }, 429, { 'retry-after': '1' })],
    ['is overloaded', json({ error: { message: 'busy' } }, 503)],
    ['is broken', raw(500, 'oops')],
    ['closes the connection', (response) => void response.destroy()],
  ])('repeats a request when the server %s at first', async (_, bad) => {
    const { ask, server } = await serverOf(bad, bad, search, said('2.40 (fruit.md:5)'))
    const { exitCode, stdout, stderr } = await ask()
    expect(stderr).toContain('trying again in')
    expect(stdout).toContain('Answer\n2.40 (fruit.md:5)')
    expect(exitCode).toBe(0)
    expect(server.requests).toHaveLength(4)
  })

  it('that cuts events at every byte, with other line ends and comments', async () => {
    const text = `: hello\r\n\r\n${eventText([chunk({ content: 'Äpfel kosten 2.40.' }), chunk({}, 'stop')], { lineEnd: '\r\n' })}`
    const bytes = new TextEncoder().encode(text)
    const { ask } = await serverOf(pieces([...bytes].map((_, at) => bytes.slice(at, at + 1))))
    expect((await ask()).stdout).toContain('Answer\nÄpfel kosten 2.40.\n')
  })

  it('that sends control characters', async () => {
    const { ask } = await serverOf(said('2.40 \u001b[31mred\u0007'))
    expect((await ask()).stdout).toContain('Answer\n2.40 [31mred\n')
  })

  it('that is stopped by Ctrl-C, and continues with --resume', async () => {
    const controller = new AbortController()
    const hang: Answer = () => controller.abort()
    const { run, baseUrl, server } = await serverOf(search, hang, said('2.40 (fruit.md:5)'))
    const args = ['fruit.md', 'What does an apple cost?', '--model', 'tiny', '--base-url', baseUrl]
    expect(await run(args, { signal: controller.signal })).toMatchObject({ exitCode: 130 })
    const { stdout } = await run(['--resume'])
    expect(stdout).toContain('Resuming after 1 step of an earlier run')
    expect(stdout).toContain('Answer\n2.40 (fruit.md:5)')
    expect(server.requests).toHaveLength(3)
  })

  it('continues a conversation', async () => {
    const { run, baseUrl } = await serverOf(json({ error: { message: 'too long' } }, 413), said('It costs 2.40.'))
    const stdin = (async function* () {
      yield new TextEncoder().encode('What?\nAnd now?\n')
    })()
    const ran = await run(['--chat', 'fruit.md', '--model', 'tiny', '--base-url', baseUrl], { stdin })
    expect(ran.stderr).toContain('too long for the model')
    expect(ran.stdout).toContain('It costs 2.40.')
    expect(ran.exitCode).toBe(0)
  })
})

describe('ask with a model of the AI SDK', () => {
  it('loads the package of the provider from the folder of the user', async () => {
    const { run, folder } = await workspace({ 'fruit.md': FRUIT })
    const place = join(folder, 'node_modules', '@made', 'up')
    await mkdir(place, { recursive: true })
    await writeFile(
      join(place, 'package.json'),
      JSON.stringify({ name: '@made/up', type: 'module', exports: { '.': { import: './index.js' } } }),
    )
    await writeFile(
      join(place, 'index.js'),
      `const parts = [
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', delta: 'It costs 2.40.' },
        { type: 'text-end', id: '1' },
        { type: 'finish', finishReason: 'stop', usage: { inputTokens: 7, outputTokens: 5, totalTokens: 12 } },
      ]
      export const up = Object.assign(() => {}, {
        languageModel: (modelId) => ({
          specificationVersion: 'v2',
          provider: 'up',
          modelId,
          supportedUrls: {},
          doGenerate: () => {},
          doStream: async () => ({ stream: ReadableStream.from(parts) }),
        }),
      })`,
    )
    const { stdout, stderr } = await run(['fruit.md', 'What does an apple cost?', '--model', 'ai-sdk:@made/up:large:2'])
    expect(stderr).toBe('')
    expect(stdout).toContain('Model: large:2')
    expect(stdout).toContain('Answer\nIt costs 2.40.')
    expect(stdout).toContain('Usage: 1 model call, 7 tokens in, 5 out')
    await writeFile(join(place, 'index.js'), 'export const nothing = 1')
    const other = await workspace({ 'fruit.md': FRUIT, 'node_modules/none/index.js': 'module.exports = {}' })
    expect((await other.run(['fruit.md', 'Who?', '--model', 'ai-sdk:none:x'])).stderr).toContain(
      'none exports no provider',
    )
  })
})

describe('ask with an embedding model', () => {
  /** Returns vectors by the subject of a text. */
  const vectors: Answer = (response, { body }) => {
    const data = body.input.map((text: string, index: number) => ({
      index,
      embedding: [/apple|fruit/i.test(text) ? 1 : 0, /train|railway/i.test(text) ? 1 : 0, 0.1],
    }))
    return json({ data })(response, { url: '', headers: {}, body })
  }
  const files = { 'fruit.md': FRUIT, 'railway.md': '# Railway\n\nIt leaves at noon.\n' }

  it('finds passages that share no word with the query, and embeds a document once per store', async () => {
    const server = new LoopbackServer().willAnswer(...Array.from({ length: 9 }, () => vectors))
    const baseUrl = await server.start()
    onTestFinished(() => server.stop())
    const { run } = await workspace(files)
    const args = ['.', 'When does the train leave?', '--embedding-model', 'small', '--base-url', baseUrl]
    const first = await run([...args, '--store', 'a.db'])
    expect(first.stdout).toContain('railway.md:1-3')
    expect(first.exitCode).toBe(0)
    const asked = server.requests.length
    expect(server.requests[0]).toMatchObject({ url: '/v1/embeddings', body: { model: 'small' } })
    expect((await run([...args, '--store', 'a.db'])).stdout).toBe(first.stdout)
    // The second time, only the query is embedded.
    expect(server.requests).toHaveLength(asked + 1)
    expect((await run(args)).stdout).toBe(first.stdout)
    const other = ['.', 'When?', '--embedding-model', 'large', '--base-url', baseUrl, '--store', 'a.db']
    expect(await run(other)).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('this file contains vectors of the embedding model small'),
    })
  })

  it('reports the error of the embedding server', async () => {
    const { run, baseUrl } = await serverOf(json({ error: { message: 'no such model' } }, 404))
    const ran = await run(['fruit.md', 'Who?', '--embedding-model', 'none', '--base-url', baseUrl])
    expect(ran).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('does not know this address or model') })
    expect((await run(['fruit.md', 'Who?', '--embedding-model', 'none'])).stderr).toContain(
      '--embedding-model needs openai:',
    )
  })
})
