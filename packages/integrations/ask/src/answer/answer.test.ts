import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import {
  type Answer,
  chunk,
  eventText,
  json,
  LoopbackServer,
  pieces,
} from '../../../../../tools/loopback-model-server.ts'
import { deleteFolders, folderOf, write } from '../../test/folder.ts'
import { Docs } from '../docs.ts'
import { type ModelOptions, readModel } from '../model/model-options.ts'
import { servePage } from '../page/serve-page.ts'
import { run } from '../program.ts'
import { pageAnswer } from './answer-question.ts'

afterEach(deleteFolders)

const stream = (...chunks: object[]) => pieces([eventText(chunks)])
const said = (text: string, finish = 'stop') =>
  stream(...(text.match(/.{1,7}/gs) ?? []).map((content) => chunk({ content })), chunk({}, finish))
const call = (name: string, input: object, text = '') =>
  stream(
    chunk({ content: text }),
    chunk({
      tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name, arguments: JSON.stringify(input) } }],
    }),
    chunk({}, 'tool_calls'),
  )
const search = call('search', { query: 'apple price' })
const question = 'What does an apple cost?'

/** A folder, a server with these answers, and a function that runs the program. */
async function served(...answers: Answer[]) {
  const server = new LoopbackServer().willAnswer(...answers)
  const baseUrl = await server.start()
  onTestFinished(() => server.stop())
  const folder = await folderOf({
    'docs/fruit.md': '# Fruit\n\n| name | price |\n|---|---|\n| apple | 2.40 |\n',
    'docs/other.md': 'Other.',
  })
  const stop = new AbortController()
  const start = async (
    args: string[],
    { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {},
  ) => {
    const printed = { stdout: '', stderr: '' }
    const into = (name: keyof typeof printed) =>
      new Writable({
        write(data, _, done) {
          printed[name] += data
          done()
        },
      })
    const [stdin, stdout, stderr] = [new PassThrough(), into('stdout'), into('stderr')]
    stdin.end(input)
    const context = {
      stdin,
      stdout,
      stderr,
      cwd: folder,
      standard: folder,
      platform: 'linux' as const,
      signal: stop.signal,
    }
    const code = await run(args, {
      ...context,
      env: { XDG_CACHE_HOME: join(folder, 'cache'), OPENAI_API_KEY: 'secret', ...env },
    })
    return { code, ...printed }
  }
  const model = ['--model', 'tiny', '--base-url', baseUrl]
  const ask = (...more: string[]) => start(['docs', question, ...model, ...more])
  return { server, folder, start, ask, model, stop: () => stop.abort() }
}

describe('a question to a model', () => {
  it('streams the answer and names the places that it cites', async () => {
    const { ask, server } = await served(search, said('An apple costs 2.40 [fruit.md:5].'))
    expect(await ask()).toEqual({
      code: 0,
      stdout: 'An apple costs 2.40 [fruit.md:5].\n\n  docs/fruit.md:5  Fruit\n',
      stderr: 'search {"query":"apple price"}\n',
    })
    expect(server.requests[0]?.headers.authorization).toBe('Bearer secret')
    expect(server.requests[0]?.body.tools.length).toBe(6)
  })

  it('reports citations that do not hold', async () => {
    const text = 'It is 9.99 [fruit.md:5]. See [other.md:1] and [none.md:3].'
    const { ask } = await served(search, said(text))
    expect(JSON.parse((await ask('--json')).stdout)).toEqual({
      answer: text,
      sources: [
        { file: 'fruit.md', from: 5, to: 5, heading: 'Fruit', problem: 'does not contain "9.99"' },
        { file: 'other.md', from: 1, to: 1, heading: '', problem: 'was not read' },
        { file: 'none.md', from: 3, to: 3, heading: '', problem: 'does not exist' },
      ],
    })
    const plain = await served(search, said('It is cheap.'))
    expect((await plain.ask()).stdout).toContain('docs/fruit.md:5  ! is not cited')
  })

  it.each([
    ['Apples cost 2.40 [fruit.md:5]. Pears cost 9.99 [fruit.md:5].'],
    ['Pears cost 9.99 [fruit.md:5]. Apples cost 2.40 [fruit.md:5].'],
  ])('checks each citation of a place: %j', async (text) => {
    const { ask } = await served(search, said(text))
    expect(JSON.parse((await ask('--json')).stdout).sources).toEqual([
      { file: 'fruit.md', from: 5, to: 5, heading: 'Fruit', problem: 'does not contain "9.99"' },
    ])
  })

  it('does not take text before a tool call for the answer', async () => {
    const { ask } = await served(
      call('search', { query: 'apple' }, 'I think about it. '.repeat(30)),
      said('2.40 [fruit.md:5]'),
    )
    const { stdout } = await ask()
    expect(stdout).toMatch(/\(That was not the answer yet\.\)\n\n2\.40 \[fruit\.md:5\]\n/)
  })

  it('reads tools from the text of a model without tool calls', async () => {
    const { ask } = await served(
      said('Thought: I look.\nAction: search\nAction Input: {"query": "apple price"}'),
      said('Thought: I know it.\nAnswer: 2.40 [fruit.md:5]'),
    )
    expect((await ask('--text-tools')).stdout).toContain('2.40 [fruit.md:5]')
  })

  it('continues an answer that has failed, without repeating its steps', async () => {
    const { ask, start, server } = await served(search, json({ error: { message: 'bad' } }, 401))
    const failed = await ask()
    expect([failed.code, failed.stderr]).toEqual([4, expect.stringContaining('rejects the key (HTTP 401): bad.')])
    server.willAnswer(said('2.40 [fruit.md:5]'))
    expect(await start(['--resume'])).toMatchObject({ code: 0, stdout: expect.stringContaining('2.40 [fruit.md:5]') })
    expect(server.requests.length).toBe(3)
    expect(await start(['--resume'])).toMatchObject({
      code: 2,
      stderr: 'ask: There is no unfinished answer to resume.\n',
    })
  })

  it('continues an answer that was stopped', async () => {
    const { ask, stop, server } = await served(search, () => stop())
    expect((await ask()).code).toBe(130)
    expect(server.requests.length).toBe(2)
  })

  it('answers without a folder for unfinished answers', async () => {
    const { start, folder, model } = await served(said('No idea.'))
    await writeFile(join(folder, 'file'), '')
    const { stdout, stderr } = await start(['docs', 'Why?', ...model], {
      env: { XDG_CACHE_HOME: join(folder, 'file') },
    })
    expect([stdout, stderr]).toEqual([
      expect.stringContaining('No idea.'),
      expect.stringContaining('this answer cannot be resumed'),
    ])
  })

  it('asks a provider of the AI SDK that is installed in the current folder', async () => {
    const { start, folder } = await served()
    const parts = [
      { type: 'stream-start', warnings: [] },
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'It costs 2.40.' },
      { type: 'text-end', id: '1' },
      { type: 'finish', finishReason: 'stop', usage: { inputTokens: 7, outputTokens: 5, totalTokens: 12 } },
    ]
    await write(folder, {
      'node_modules/@made/up/package.json': '{ "name": "@made/up", "exports": { "import": "./index.mjs" } }',
      'node_modules/@made/up/index.mjs': `export const up = Object.assign(() => {}, {
        languageModel: (modelId) => ({
          specificationVersion: 'v2', provider: 'up', modelId, supportedUrls: {}, doGenerate: () => {},
          doStream: async () => ({ stream: ReadableStream.from(${JSON.stringify(parts)}) }),
        }),
      })`,
      'node_modules/none/index.js': 'module.exports = {}',
    })
    expect(await start(['docs', question, '--model', 'ai-sdk:@made/up:large:2'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('It costs 2.40.'),
      stderr: '',
    })
    expect((await start(['docs', question, '--model', 'ai-sdk:none:x'])).stderr).toContain('none exports no provider')
  })

  it('says that an answer was cut', async () => {
    const { ask } = await served(said('It costs', 'length'))
    expect(await ask()).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('was cut at the token limit of the model'),
    })
  })

  it('continues a conversation, also after a question that failed', async () => {
    const { start, model, server } = await served(
      said('It costs 2.40.'),
      json({ error: { message: 'no' } }, 400),
      said('In fruit.md.'),
    )
    const { stdout, stderr, code } = await start(['docs', ...model], { input: `${question}\n\nfails\nWhere?\n` })
    expect([code, stdout, stderr]).toEqual([
      0,
      expect.stringContaining('In fruit.md.'),
      expect.stringContaining('refuses the request'),
    ])
    expect(server.requests[2]?.body.messages.map(({ role }: { role: string }) => role)).toContain('assistant')
  })

  it.each([
    [
      ['--model', 'openai:gpt-5-mini'],
      { OPENAI_API_KEY: '' },
      'openai: needs a key in the environment variable OPENAI_API_KEY.',
    ],
    [['--model', 'ai-sdk:@none/none:x'], {}, '--model: the package @none/none is not installed'],
    [['--model', 'tiny'], {}, '--model needs openai:, ollama: or ai-sdk:'],
    [['--model', 'ollama:a', '--timeout', 'x'], {}, '--timeout: expected a number of seconds, received "x".'],
  ])('refuses %j with the code 2', async (args, env, message) => {
    const { start } = await served()
    expect(await start(['docs', question, ...args], { env })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(message),
    })
  })
})

describe('score', () => {
  const questions = [
    { question, file: 'fruit.md', lines: [5, 5], answer: '2\\.40' },
    { question: 'zeppelin', file: 'fruit.md', lines: [1, 1] },
  ]

  it('counts right sections, and right answers of a model', async () => {
    const { start, folder, model } = await served(search, said('2.40 [fruit.md:5]'), said('No idea.'))
    await writeFile(join(folder, 'q.json'), JSON.stringify(questions))
    const sections = 'not found: zeppelin\n2 questions; right section first: 1, in three: 1, in ten: 1\n'
    expect(await start(['score', 'docs', 'q.json'])).toEqual({ code: 0, stdout: sections, stderr: '' })
    expect((await start(['score', 'docs', 'q.json', ...model])).stdout).toBe(
      `${sections}not as expected: zeppelin\nanswers: right 1, citing the place 1, with an unsupported citation 0\n`,
    )
  })

  it.each([
    ['{', 'q.json: '],
    ['{}', 'expected an array of { question, file, lines, answer }.'],
    ['[{"question":"a"}]', 'question 1: expected { question, file, lines: [from, to] }.'],
  ])('refuses the questions %j', async (text, message) => {
    const { start, folder } = await served()
    await writeFile(join(folder, 'q.json'), text)
    expect(await start(['score', 'docs', 'q.json'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    })
  })
})

describe('words of readers', () => {
  it('are written by a model and by questions, and score shows what they gain', async () => {
    const { start, folder, model, server } = await served(said('{"words": ["cost of fruit"]}'), said('no'), said('no'))
    const [, name = '', ...server_] = model
    const built = await start(['build', 'docs', '--words', name, ...server_, '--languages', 'German, French'])
    expect(built).toMatchObject({ code: 0, stderr: 'ask: no words were returned for other.md:1\n' })
    expect(built.stdout).toBe(`${join(folder, 'docs', 'ask-words.json')}: words for 1 sections written, 0 kept.\n`)
    expect(JSON.stringify(server.requests[0]?.body)).toContain('also in German, French')
    expect((await start(['docs', 'costs'])).stdout).toContain('found by the added word “costs”')
    const missed = [{ question: 'else', file: 'fruit.md', lines: [5, 5] }]
    await writeFile(join(folder, 'q.json'), JSON.stringify(missed))
    const words = await start(['words', 'docs', 'q.json', '--write'])
    expect(words).toMatchObject({ code: 0, stdout: expect.stringContaining('fruit.md:1  Fruit\n  + else  (else)\n') })
    expect((await start(['score', 'docs', 'q.json'])).stdout).toBe(
      '1 questions; right section first: 1, in three: 1, in ten: 1\nwithout the added words: first: 0, in three: 0, in ten: 0\n',
    )
    server.willAnswer(json({ error: { message: 'bad' } }, 401))
    await writeFile(join(folder, 'docs/new.md'), 'New.')
    expect(await start(['build', 'docs', '--words', name, ...server_])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('rejects the key'),
    })
  })

  it.each([
    [['docs', 'x', '--words', 'a'], '--words: expected "build" with it.'],
    [['docs', 'x', '--languages', 'a'], '--languages: expected "build" with it.'],
    [['docs', 'x', '--write'], '--write: expected "words <folder> FILE" with it.'],
    [['build', 'docs'], 'build: expected one folder, and --out with the folder of the page, or --words with a model.'],
    [['build', 'docs', '--words', 'tiny'], '--model needs openai:, ollama: or ai-sdk:'],
  ])('are refused with %j', async (args, message) => {
    const { start } = await served()
    expect(await start(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
  })

  it('are told that a question is in another language', async () => {
    const { start, folder } = await served()
    await writeFile(
      join(folder, 'docs/en.md'),
      'What is this for the reader of it, and how does it work with the other?',
    )
    const { stdout } = await start(['docs', 'Wie groß ist das?'])
    expect(stdout.replaceAll('\n', ' ')).toContain('The question is in German, the documents are in English')
    expect(JSON.parse((await start(['docs', 'Wie groß ist das?', '--json'])).stdout)).toEqual({
      sections: [],
      language: { question: 'German', documents: 'English' },
    })
  })
})

describe('the page', () => {
  /** The lines that the page receives for a question. */
  async function asked(url: string, body: object): Promise<object[]> {
    const headers = { 'content-type': 'application/json' }
    const text = await (await fetch(`${url}answer`, { method: 'POST', headers, body: JSON.stringify(body) })).text()
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  }

  it('receives the answer of a model in pieces, with its places', async () => {
    const { folder, model, server } = await served(
      search,
      said('2.40 [fruit.md:5]'),
      json({ error: { message: 'bad' } }, 401),
    )
    const options = readModel({ model: model[1], baseUrl: model[3], timeoutMs: 1000, textTools: false }) as ModelOptions
    const docs = await Docs.open(join(folder, 'docs'))
    const terminal = {
      stdin: new PassThrough(),
      stdout: new PassThrough(),
      stderr: new PassThrough(),
      env: {},
      cwd: folder,
      signal: new AbortController().signal,
    }
    const page = await servePage(docs, 0, pageAnswer(docs, options, terminal), () => {})
    onTestFinished(async () => {
      await page.close()
      await docs.close()
    })
    expect(await asked(page.url, { question })).toEqual([
      { text: '2.40 [fruit.md:5]' },
      { sources: [{ file: 'fruit.md', from: 5, to: 5, heading: 'Fruit', problem: null }] },
    ])
    expect(await asked(page.url, { question })).toEqual([{ error: expect.stringContaining('rejects the key') }])
    expect(server.requests.length).toBe(3)
    expect(await asked(page.url, { question: ' ' })).toEqual([
      { error: 'question: expected a string of 1 to 10000 characters' },
    ])
    expect((await fetch(`${page.url}answer`, { method: 'POST', body: '{}' })).status).toBe(415)
  })
})
