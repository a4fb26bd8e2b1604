// @module-tag system
import { spawn } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import {
  type Client,
  type ClientName,
  type Command,
  callTool,
  clients,
  connectHttp,
  connectStdio,
  notificationsOf,
  sources,
  subscribe,
} from '../test/clients.ts'
import '../../transformers/test/model-folder.ts'
import { writeCrossEncoderModel } from '../../transformers/test/tiny-models/tiny-models.ts'
import { deleteFolders, folderOf, fruit, write } from '../test/folder.ts'
import { run } from './program.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  await deleteFolders()
})

const names = Object.keys(clients) as ClientName[]

async function connected(name: ClientName, command: Command): Promise<{ client: Client; log: string[]; pid: number }> {
  const connection = await connectStdio(name, command)
  ends.push(() => connection.client.close())
  return connection
}

const placesOf = async (client: Client, query: string) => {
  const { structuredContent } = await callTool(client, 'search', { query })
  return (structuredContent as { passages: { place: string }[] }).passages.map(({ place }) => place)
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** Starts the program without a client. */
function start(args: string[], env: Record<string, string> = {}) {
  const command = sources(...args)
  const child = spawn(command.command, command.args, { env: { ...process.env, ...env } })
  ends.push(() => child.kill('SIGKILL'))
  const code = new Promise<number | null>((resolve) => child.on('close', resolve))
  return { child, code, stdout: text(child.stdout).catch(() => ''), stderr: text(child.stderr).catch(() => '') }
}

/** Runs the program in this process. Returns what it prints, and a function that stops it. */
function runHere(args: string[], { env = {}, cwd = '/' }: { env?: Record<string, string>; cwd?: string } = {}) {
  const printed = { stdout: '', stderr: '' }
  const into = (name: keyof typeof printed) =>
    new Writable({
      write(data, _, done) {
        printed[name] += data
        done()
      },
    })
  const stop = new AbortController()
  const [stdin, stdout, stderr] = [new PassThrough(), into('stdout'), into('stderr')]
  const code = run(args, { stdin, stdout, stderr, env, cwd, standard: cwd, platform: 'linux', signal: stop.signal })
  ends.push(
    () => code,
    () => stop.abort(),
  )
  return { printed, stdin, stdout, code, stop: () => stop.abort() }
}

/** Runs the program in this process, with an input that ends at once. */
async function ended(args: string[], options: { env?: Record<string, string>; cwd?: string } = {}) {
  const { printed, stdin, code } = runHere(args, options)
  stdin.end()
  return { code: await code, ...printed }
}

describe('on standard input and output', () => {
  it.each(names)('%s lists tools, calls them, reads resources, and is notified of changes', async (name) => {
    const folder = await folderOf(fruit)
    const { client, log } = await connected(name, sources('--mcp', folder))
    const { tools } = await client.listTools()
    expect(tools.map((tool) => [tool.name, tool.annotations?.readOnlyHint, tool.outputSchema?.type])).toEqual(
      ['search', 'find_tables', 'read_table', 'read', 'outline', 'list_documents'].map((one) => [one, true, 'object']),
    )
    expect(await placesOf(client, 'price of the cherry')).toContain('fruit.md:11-15')
    const refused = await callTool(client, 'read', { place: '../secret.md' })
    expect([refused.isError, refused.content[0]?.text]).toEqual([
      true,
      expect.stringContaining('expected a path inside'),
    ])
    expect(
      (await callTool(client, 'nothing', {}).catch((error) => ({ isError: error instanceof Error }))).isError,
    ).toBe(true)

    const { resources } = await client.listResources()
    expect(resources.map(({ uri, title }) => [uri, title])).toEqual([
      ['docs:///fruit.md', 'All about fruit'],
      ['docs:///guides/install.md', 'Install'],
      ['docs:///guides/parts.mdx', undefined],
    ])
    const { contents } = await client.readResource({ uri: 'docs:///guides/install.md' })
    expect(contents).toMatchObject([{ mimeType: 'text/markdown', text: fruit['guides/install.md'] }])
    for (const uri of [
      'docs:///../secret.md',
      'docs:///..%2Fsecret.md',
      'docs:///%',
      'file:///etc/passwd',
      'docs:///none.md',
    ])
      await expect(client.readResource({ uri })).rejects.toThrow(
        /inside of the folder|document or folder does not exist/,
      )

    const received = notificationsOf(client)
    await subscribe(client, 'docs:///fruit.md')
    await write(folder, { 'fruit.md': 'Zeppelin', 'guides/install.md': 'Other', 'new näme.md': 'New' })
    await until(() => received.length >= 2)
    expect(received.sort()).toEqual(['resources/list_changed', 'resources/updated docs:///fruit.md'])
    expect(await placesOf(client, 'zeppelin')).toEqual(['fruit.md:1'])
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toContain('docs:///new%20n%C3%A4me.md')
    expect(log.join('')).toContain('3 documents, 3 of them parsed')
  })

  it('ends with the code 0 when its input ends, and after a signal', async () => {
    const folder = await folderOf(fruit)
    const both = [start(['--mcp', folder]), start(['--mcp', folder])]
    for (const { child } of both) {
      child.stderr.on('data', (data) => {
        if (!String(data).includes('parsed')) return
        if (child === both[0]!.child) child.kill('SIGTERM')
        else child.stdin.end()
      })
    }
    for (const { code, stdout, stderr } of both)
      expect([await code, await stdout, (await stderr).includes('Error')]).toEqual([0, '', false])
  })

  it('ends when it is stopped before it serves', async () => {
    const folder = await folderOf(fruit)
    for (const more of [[], ['--http', '0']]) {
      const { code, stop } = runHere(['--mcp', folder, ...more])
      stop()
      expect(await code).toBe(0)
    }
  })

  it('continues when nobody reads its log', async () => {
    const folder = await folderOf(fruit)
    const { child, code, stdout } = start(['--mcp', folder])
    child.stderr.destroy()
    await write(folder, { 'new.md': 'New' })
    child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    child.stdout.once('data', () => child.stdin.end())
    expect([await code, JSON.parse(await stdout)]).toEqual([0, { jsonrpc: '2.0', id: 1, result: {} }])
  })

  it('prints only the protocol, for any input', async () => {
    const { child, code, stdout, stderr } = start(['--mcp', await folderOf(fruit)])
    child.stdin.write('this is not JSON\n{"jsonrpc":"2.0"}\n[]\n\n')
    child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"nothing"}\n')
    child.stdout.once('data', () => child.stdin.end())
    expect(await code).toBe(0)
    for (const line of (await stdout).trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
    expect(await stderr).toContain('ask: ')
  })
})

describe('the index', () => {
  // Five programs start one after the other.
  it('survives a kill at any moment, and is shared by two servers', { timeout: 180_000 }, async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`docs/${at}.md`, `# Title ${at}\n\n${'Common words. '.repeat(1300)}`]),
    )
    const folder = await folderOf({ ...files, 'docs/last.md': 'Zeppelin' })
    const command = { ...sources('--mcp', join(folder, 'docs')), env: { XDG_CACHE_HOME: join(folder, 'cache') } }
    // Killed while it starts, while it reads, and when it has finished.
    for (const wait of ['', 'ask: /', 'parsed']) {
      const { child, code } = start(command.args.slice(2), command.env)
      const lines: string[] = []
      child.stderr.on('data', (data) => lines.push(String(data)))
      await until(() => lines.join('').includes(wait))
      child.kill('SIGKILL')
      expect(await code).toBe(null)
    }
    const first = await connected('client 1', command)
    expect(await placesOf(first.client, 'zeppelin')).toEqual(['last.md:1'])
    const cached = async () => (await readdir(join(folder, 'cache', 'x-ask'))).some((name) => name.endsWith('.json'))
    await until(() => cached().catch(() => false))
    const second = await connected('client 2', command)
    expect(await placesOf(second.client, 'zeppelin')).toEqual(['last.md:1'])
    await until(() => second.log.join('').includes('parsed'))
    expect(second.log.join('')).toContain('61 documents, 0 of them parsed')
    process.kill(first.pid, 'SIGKILL')
    await write(folder, { 'docs/last.md': 'Balloon' })
    await until(async () => (await placesOf(second.client, 'balloon')).length > 0)
    expect(await placesOf(second.client, 'zeppelin')).toEqual([])
  })
})

describe('by HTTP', () => {
  /** Starts a server and returns its address. */
  async function served(folder: string): Promise<string> {
    const { printed } = runHere(['--mcp', folder, '--http', '0'])
    const url = () => /listening on (\S+)/.exec(printed.stderr)?.[1]
    await until(() => url() !== undefined)
    return url()!
  }

  it.each(names)('%s calls tools', async (name) => {
    const client = await connectHttp(name, await served(await folderOf(fruit)))
    ends.push(() => client.close())
    expect((await client.listTools()).tools.length).toBe(6)
    expect(await placesOf(client, 'cool cellar')).toEqual(['fruit.md:17-19'])
    expect((await callTool(client, 'read', { place: '/etc/passwd' })).isError).toBe(true)
    expect((await client.listResources()).resources.length).toBe(3)
  })

  it('notifies clients of the newest protocol', async () => {
    const folder = await folderOf(fruit)
    const client = await connectHttp('client 2, newest protocol', await served(folder))
    ends.push(() => client.close())
    await client.listTools()
    const received = notificationsOf(client)
    await subscribe(client, 'docs:///fruit.md')
    await placesOf(client, 'fruit')
    await write(folder, { 'fruit.md': 'Zeppelin', 'new.md': 'New' })
    await until(() => received.length >= 2)
    expect(received.sort()).toEqual(['resources/list_changed', 'resources/updated docs:///fruit.md'])
  })

  it('refuses other hosts, pages of other servers, and other paths', async () => {
    const url = await served(await folderOf(fruit))
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
    }
    const statusOf = async (address: string, headers: Record<string, string>) => {
      return new Promise<number | undefined>((resolve, reject) => {
        const all = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers }
        const sent = request(address, { method: 'POST', headers: all }, (response) => {
          response.resume()
          resolve(response.statusCode)
        })
        sent.on('error', reject)
        sent.end(JSON.stringify(initialize))
      })
    }
    expect(await statusOf(url, {})).toBe(200)
    expect(await statusOf(url, { origin: new URL(url).origin })).toBe(200)
    expect(await statusOf(url, { origin: 'http://localhost:3000' })).toBe(403)
    expect(await statusOf(url, { host: 'evil.example' })).toBe(403)
    expect(await statusOf(url, { origin: 'https://evil.example' })).toBe(403)
    expect(await statusOf(url, { origin: 'null' })).toBe(403)
    expect(await statusOf(url.replace('/mcp', '/other'), {})).toBe(404)
    expect((await fetch(url)).status).toBe(405)
  })

  it('reports that a port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    ends.push(() => other.close())
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as { port: number }
    const { code, stdout, stderr } = await ended(['--mcp', await folderOf(fruit), '--http', String(port)])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(`ask: port ${port} is in use.\n`)
  })
})

describe('a question', () => {
  const shown = `1  fruit.md:14
   Fruit > Prices
   name: apple; price: 2.10 €; origin: Austria
   name: cherry; price: »9.10 €«; origin: Spain
   name: pear; price: 3.00 €; origin: Austria
`

  it('prints sections with places, headings and the marked value', async () => {
    const folder = await folderOf(fruit)
    const { code, stdout, stderr } = await ended(['What is the price of the cherry?'], { cwd: folder })
    expect([code, stdout.slice(0, shown.length), stderr]).toEqual([0, shown, ''])
    const named = await ended(['.', 'price', 'of', 'cherry', '--limit', '1'], { cwd: folder })
    expect(named.stdout).toBe(shown)
  })

  it('prints places as the folder was named', async () => {
    const folder = await folderOf(fruit)
    const { stdout } = await ended(['guides', 'unpack', '--limit', '1'], { cwd: folder })
    expect(stdout).toContain('guides/install.md:7\n')
  })

  it('prints JSON', async () => {
    const { stdout } = await ended([await folderOf(fruit), 'Where are pears stored?', '--json'])
    const { sections } = JSON.parse(stdout)
    expect(Object.keys(sections[0])).toEqual(['file', 'from', 'to', 'path', 'excerpt'])
    expect(sections[0]).toEqual({
      file: 'fruit.md',
      from: 17,
      to: 19,
      path: ['Fruit', 'Storing fruit'],
      excerpt: 'Keep pears in a cool cellar.',
    })
    expect(JSON.parse((await ended([await folderOf(fruit), 'zeppelin', '--json'])).stdout)).toEqual({ sections: [] })
  })

  it('says that nothing was found, and which words are in no document', async () => {
    const folder = await folderOf(fruit)
    expect(await ended([folder, 'Which zeppelin flies?'])).toEqual({
      code: 0,
      stdout: 'Nothing found: no document contains “zeppelin”, “flies”.\n',
      stderr: '',
    })
    expect((await ended([folder, 'price of a zeppelin'])).stdout).toMatch(/\n\nNo document contains “zeppelin”\.\n$/)
  })

  it('answers the lines of standard input, with follow-up questions', async () => {
    const { stdin, code, printed } = runHere([await folderOf(fruit), '--limit', '1'])
    stdin.end('price of the cherry\n\nand its origin?\n')
    expect(await code).toBe(0)
    expect(printed.stdout.match(/fruit.md:14/g)?.length).toBe(2)
  })

  it('loads neither the server nor models for a plain question', async () => {
    const folder = await folderOf({ 'docs/a.md': '# A\n\nalpha' })
    const hooks = `import { registerHooks } from 'node:module'
      registerHooks({ load: (url, context, next) => (process.stderr.write('loaded ' + url + '\\n'), next(url, context)) })`
    const log = `data:text/javascript,${encodeURIComponent(hooks)}`
    const { stdout, stderr } = start([join(folder, 'docs'), 'alpha'], { NODE_OPTIONS: `--import "${log}"` })
    expect(await stdout).toContain('alpha')
    const loaded = (await stderr).split('\n').filter((line) => line.startsWith('loaded '))
    expect(loaded.some((line) => line.endsWith('/search/index-part.ts'))).toBe(true)
    expect(
      loaded.filter((line) =>
        /modelcontextprotocol|zod|packages\/(?:agents|llm)\/|integrations\/(?:openai|mcp|ai-sdk)/.test(line),
      ),
    ).toEqual([])
  })

  it.each(['', '\n \n'])('says how to ask when the input has no question: %j', async (input) => {
    const { stdin, code, printed } = runHere([await folderOf(fruit)])
    stdin.end(input)
    expect([await code, printed.stdout]).toEqual([2, ''])
    expect(printed.stderr).toBe(
      'ask: expected a question, received an empty input: pass it as an argument, or one per line of standard input.\n',
    )
  })

  it('shows a prompt on a terminal, and opens sections in the editor', async () => {
    const { stdin, stdout, code, printed } = runHere([await folderOf(fruit)], { env: { EDITOR: '/no/such/editor' } })
    Object.assign(stdin, { isTTY: true })
    Object.assign(stdout, { isTTY: true, columns: 60, rows: 20 })
    await until(() => printed.stdout.includes('Type a question.'))
    stdin.write('cherry')
    await until(() => printed.stdout.includes('fruit.md:14'))
    stdin.write('\r')
    await until(() => printed.stdout.includes('/no/such/editor: ENOENT'))
    stdin.write('\u0003')
    expect(await code).toBe(0)
  })

  it('stops at Ctrl-C with the code 130', async () => {
    const { stop, code } = runHere([await folderOf(fruit)])
    stop()
    expect(await code).toBe(130)
  })

  it('ends when its reader has left', async () => {
    const { child, code, stderr } = start([await folderOf(fruit), 'pear'])
    child.stdout.destroy()
    expect([await code, await stderr]).toEqual([0, ''])
  })

  it.each([
    [{}, ''],
    [{ 'a.txt': 'text' }, ''],
    [{ 'a.md': new Uint8Array([0, 1]) }, '; a.md: expected text, found a NUL byte'],
  ])('reports a folder without a Markdown file that can be read: %j', async (files, reason) => {
    const folder = await folderOf(files)
    const { code, stdout, stderr } = await ended([folder, 'pear'])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toBe(`ask: ${folder}: no Markdown file (.md, .mdx, .markdown) can be read${reason}.\n`)
  })

  it('names files that are skipped, and answers from the others', async () => {
    const { code, stdout, stderr } = await ended([await folderOf({ ...fruit, 'b.md': new Uint8Array([0]) }), 'cellar'])
    expect([code, stdout.includes('cool cellar'), stderr]).toEqual([
      0,
      true,
      'ask: b.md is skipped: expected text, found a NUL byte.\n',
    ])
  })
})

describe('with --rerank', () => {
  const files = { 'a.md': '# Fruit\n\n## Pears\n\nPrice of pears: 3\n\n## Apples\n\nPrice of a sweet apple: 2\n' }

  it('the model of a folder orders the sections', async () => {
    const folder = await folderOf(files)
    writeCrossEncoderModel(join(folder, 'model'), { words: ['pears'] })
    const asked = ['.', 'price pears apple sweet', '--json', '--rerank', './model']
    const { stdout } = await ended(asked, { cwd: folder })
    const { sections } = JSON.parse(stdout) as { sections: { from: number }[] }
    expect(sections.map(({ from }) => from)).toEqual([3, 7])
    const plain = await ended(asked.slice(0, 3), { cwd: folder })
    expect(JSON.parse(plain.stdout).sections.map(({ from }: { from: number }) => from)).toEqual([7, 3])
  })

  it('a model that cannot be loaded ends with the code 1, and the prompt with 2', async () => {
    const folder = await folderOf(files)
    const { code, stdout, stderr } = await ended(['.', 'pears', '--rerank', './none'], { cwd: folder })
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(`received ${join(folder, 'none')}.`)])
    const { stdin, stdout: screen, code: ends, printed } = runHere([folder, '--rerank', 'tiny/fruit'])
    Object.assign(stdin, { isTTY: true })
    Object.assign(screen, { isTTY: true })
    expect([await ends, printed.stderr]).toEqual([2, expect.stringContaining('the prompt searches at every key')])
  })
})

describe('the command line', () => {
  it.each([
    [['--mcp', 'a', 'b'], 'expected one folder, received 2 arguments.'],
    [['--mcp', '.', '--http', 'x'], '--http: expected a port from 0 to 65535, received "x".'],
    [['--mcp', '.', '--http', '65536'], '--http: expected a port from 0 to 65535, received "65536".'],
    [['.', '--http', '1'], '--http: expected --mcp with it.'],
    [['.', '--port', '1'], '--port: expected --serve with it.'],
    [['.', '--mcp', '--serve'], 'expected one of --mcp, --serve and --json, received 2.'],
    [['.', '--json'], '--json: expected a question with it.'],
    [['.', 'a', '--limit', '0'], '--limit: expected a number from 1 to 9999, received "0".'],
    [['.', 'a', '--rerank', ''], '--rerank: expected a folder or the name of a model, received an empty string.'],
    [
      ['--serve', '.', '--rerank', './m'],
      '--rerank: expected a question, --mcp or score with it; the page searches in the browser.',
    ],
    [['.', ' '], 'expected a question, received an empty string.'],
    [['build', '.'], 'build: expected one folder, and --out with the folder of the page, or --words with a model.'],
    [['.', '--out', 'x'], '--out: expected "build" with it.'],
    [['.', '--stor', 'b'], "Unknown option '--stor'."],
  ])('refuses %j with the code 2 and the usage', async (args, problem) => {
    expect(await ended(args)).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`ask: ${problem}
Usage: `),
    })
  })

  it('refuses a folder that does not exist, with the code 1', async () => {
    const folder = await folderOf(fruit)
    for (const args of [
      ['./none', 'pear'],
      ['none', 'pear'],
      ['--mcp', './none'],
    ]) {
      const { code, stdout, stderr } = await ended(args, { cwd: folder })
      expect([code, stdout, stderr]).toEqual([1, '', `ask: ${join(folder, 'none')}: no such folder.\n`])
    }
    expect((await ended(['fruit.md', 'pear'], { cwd: folder })).stderr).toContain('expected a folder, received a file')
  })

  it('prints help and version to standard output', async () => {
    const { stdout: help, code } = await ended(['--help', '--http', 'whatever'])
    expect([help.includes('ask --mcp'), code]).toEqual([true, 0])
    expect((await ended(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})
