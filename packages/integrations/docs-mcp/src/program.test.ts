// @module-tag system
import { spawn } from 'node:child_process'
import { rm, stat } from 'node:fs/promises'
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
function start(args: string[]) {
  const command = sources(...args)
  const child = spawn(command.command, command.args)
  ends.push(() => child.kill('SIGKILL'))
  const code = new Promise<number | null>((resolve) => child.on('close', resolve))
  return { child, code, stdout: text(child.stdout), stderr: text(child.stderr).catch(() => '') }
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
  const code = run(args, { stdin, stdout, stderr, env, cwd, platform: 'linux', signal: stop.signal })
  ends.push(
    () => code,
    () => stop.abort(),
  )
  return { printed, stdin, code, stop: () => stop.abort() }
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
    const { client, log } = await connected(name, sources(folder, '--store', ':memory:'))
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
    const both = [start([folder, '--store', ':memory:']), start([folder, '--store', ':memory:'])]
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
      const { code, stop } = runHere([folder, '--store', ':memory:', ...more])
      stop()
      expect(await code).toBe(0)
    }
  })

  it('continues when nobody reads its log', async () => {
    const folder = await folderOf(fruit)
    const { child, code, stdout } = start([folder, '--store', ':memory:'])
    child.stderr.destroy()
    await write(folder, { 'new.md': 'New' })
    child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    child.stdout.once('data', () => child.stdin.end())
    expect([await code, JSON.parse(await stdout)]).toEqual([0, { jsonrpc: '2.0', id: 1, result: {} }])
  })

  it('prints only the protocol, for any input', async () => {
    const { child, code, stdout, stderr } = start([await folderOf(fruit), '--store', ':memory:'])
    child.stdin.write('this is not JSON\n{"jsonrpc":"2.0"}\n[]\n\n')
    child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"nothing"}\n')
    child.stdout.once('data', () => child.stdin.end())
    expect(await code).toBe(0)
    for (const line of (await stdout).trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
    expect(await stderr).toContain('docs-mcp: ')
  })
})

describe('the index', () => {
  it('survives a kill at any moment, and is shared by two servers', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`docs/${at}.md`, `# Title ${at}\n\n${'Common words. '.repeat(100)}`]),
    )
    const folder = await folderOf({ ...files, 'docs/last.md': 'Zeppelin' })
    const store = join(folder, 'cache', 'index.db')
    const command = sources(join(folder, 'docs'), '--store', store)
    // Killed while it starts, while it writes, and when it has finished.
    for (const wait of [0, 1, 2]) {
      const { child, code } = start([join(folder, 'docs'), '--store', store])
      const lines: string[] = []
      child.stderr.on('data', (data) => lines.push(String(data)))
      if (wait > 0) await until(() => lines.join('').includes(wait === 1 ? 'index /' : 'parsed'))
      child.kill('SIGKILL')
      expect(await code).toBe(null)
    }
    expect((await stat(join(folder, 'cache'))).mode & 0o077).toBe(0)
    const first = await connected('client 1', command)
    const second = await connected('client 2', command)
    for (const { client, log } of [first, second]) {
      expect(await placesOf(client, 'zeppelin')).toEqual(['last.md:1'])
      await until(() => log.join('').includes('parsed'))
      expect(log.join('')).toContain('61 documents, 0 of them parsed')
    }
    process.kill(first.pid, 'SIGKILL')
    await write(folder, { 'docs/last.md': 'Balloon' })
    await until(async () => (await placesOf(second.client, 'balloon')).length > 0)
    expect(await placesOf(second.client, 'zeppelin')).toEqual([])
  })

  it('the index is in the cache folder by default, and in memory if that cannot be used', async () => {
    const folder = await folderOf({ ...fruit, file: '' })
    const logOf = async (cache: string) =>
      (await ended(['.'], { cwd: folder, env: { XDG_CACHE_HOME: cache, LOCALAPPDATA: cache, HOME: cache } })).stderr
    expect(await logOf(join(folder, '.cache'))).toMatch(/index \/.*docs-mcp.*-2\.db/)
    const log = await logOf(join(folder, 'file'))
    expect([log.includes('the index cannot be used'), log.includes('index in memory')]).toEqual([true, true])
  })
})

describe('by HTTP', () => {
  /** Starts a server and returns its address. */
  async function served(folder: string): Promise<string> {
    const { printed } = runHere([folder, '--store', ':memory:', '--http', '0'])
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
    expect(await statusOf(url, { origin: 'http://localhost:3000' })).toBe(200)
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
    const { code, stdout, stderr } = await ended([await folderOf(fruit), '--http', String(port), '--store', ':memory:'])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(`docs-mcp: port ${port} is in use.\n`)
  })
})

describe('the command line', () => {
  it('ends with the code 2 for wrong arguments', async () => {
    const { code, stdout } = start([])
    expect([await code, await stdout]).toEqual([2, ''])
  })

  it.each([
    [[], 'expected a folder, received none.'],
    [['a', 'b'], 'expected one folder, received 2.'],
    [['a', '--http', 'x'], '--http: expected a port from 0 to 65535, received "x".'],
    [['a', '--http', '65536'], '--http: expected a port from 0 to 65535, received "65536".'],
    [['a', '--store', ''], '--store: expected a file, received an empty string.'],
    [['a', '--stor', 'b'], "Unknown option '--stor'."],
  ])('refuses %j with the code 2 and the usage', async (args, problem) => {
    expect(await ended(args)).toEqual({
      code: 2,
      stdout: '',
      stderr: `docs-mcp: ${problem}\nUsage: docs-mcp <folder> [--store FILE] [--http PORT]\n`,
    })
  })

  it('refuses a folder that does not exist, and a store that cannot be used, with the code 1', async () => {
    const folder = await folderOf(fruit)
    await rm(join(folder, 'guides'), { recursive: true })
    expect(await ended(['guides'], { cwd: folder })).toEqual({
      code: 1,
      stdout: '',
      stderr: `docs-mcp: ${join(folder, 'guides')}: no such folder.\n`,
    })
    const { code, stderr } = await ended(['.', '--store', 'fruit.md'], { cwd: folder })
    expect([code, stderr]).toEqual([1, expect.stringContaining('fruit.md: the index cannot be used')])
  })

  it('prints help and version to standard output', async () => {
    const { stdout: help, code } = await ended(['--help', '--http', 'whatever'])
    expect([help.includes('mcpServers'), code]).toEqual([true, 0])
    expect((await ended(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})
