import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeSamples } from '../../../../tools/conformance/sample-folders.ts'
import { run } from './program.ts'

/** Folders that real releases of LlamaIndex for Python wrote. */
const samples = writeSamples()
const releases = ['0.10.15', '0.10.68', '0.11.23', '0.12.0', '0.12.5', '0.12.22', '0.12.52', '0.13.6', '0.14.14']

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'migrate-samples-'))
})
afterEach(() => rmSync(directory, { recursive: true }))
const at = (...names: string[]) => join(directory, ...names)

async function migrate(...args: string[]) {
  const lines: string[] = []
  const code = await run(args, { print: (line) => lines.push(line), report: () => {} })
  return { code, text: lines.join('\n') }
}

const file = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8')
const json = (folder: string, name: string) => JSON.parse(file(folder, name))

describe.each(releases)('the folder of LlamaIndex for Python %s', (release) => {
  const sample = join(samples, release)

  it('is the same after it was in a database', async () => {
    const there = await migrate(sample, '--to', `sqlite:${at('app.db')}`)
    expect(there).toMatchObject({ code: 0, text: expect.stringContaining('taken 10 of 10 nodes') })
    const back = await migrate('--from', `sqlite:${at('app.db')}`, '--to', at('again'))
    expect(back).toMatchObject({
      code: 0,
      text: expect.stringContaining('6 of 6 vectors, 2 of 2 indexes, 2 of 2 messages'),
    })
    for (const name of [
      'index_store.json',
      'image__vector_store.json',
      'graph_store.json',
      'default__vector_store.json',
    ])
      expect(file(at('again'), name)).toBe(file(sample, name))
    // Until 0.11.2, Python reads only a string that contains JSON text.
    const chats = (folder: string) => [json(folder, 'chat_store.json')].flat()[0]
    const text = (folder: string) =>
      typeof chats(folder) === 'string' ? chats(folder) : file(folder, 'chat_store.json')
    expect(text(at('again'))).toBe(text(sample))
    const data = (folder: string) => JSON.stringify(json(folder, 'docstore.json')['docstore/data'])
    expect(data(at('again'))).toBe(data(sample))
    expect(json(at('again'), 'docstore.json')['docstore/metadata']).toEqual(
      json(sample, 'docstore.json')['docstore/metadata'],
    )
  })

  it.each(releases)('is written for %s', async (line) => {
    expect(await migrate(sample, '--to', at('other'), '--line', line)).toMatchObject({ code: 0 })
  })
})

describe('a folder of 0.14 with tool calls', () => {
  const call = { block_type: 'tool_call', tool_call_id: '1', tool_name: 'f', tool_kwargs: { a: 1 } }
  const assistant = { role: 'assistant', additional_kwargs: {}, blocks: [call] }
  const old = { role: 'user', content: 'Hello', additional_kwargs: {} }

  async function folder(): Promise<string> {
    cpSync(join(samples, '0.14.14'), at('calls'), { recursive: true })
    const store = { store: { u: [assistant], old: [old] }, class_name: 'SimpleChatStore' }
    writeFileSync(at('calls', 'chat_store.json'), JSON.stringify(store))
    return at('calls')
  }

  it('is copied, each conversation in its own line', async () => {
    const source = await folder()
    for (const [to, from] of [
      [`sqlite:${at('app.db')}`, source],
      [at('again'), `sqlite:${at('app.db')}`],
      [at('direct'), source],
    ] as const) {
      const { code, text } = await migrate('--from', from, '--to', to)
      expect([code, text]).toEqual([0, expect.stringContaining('in the line 0.14.5')])
    }
    for (const name of ['again', 'direct'])
      expect(json(at(name), 'chat_store.json').store).toEqual({ u: [assistant], old: [old] })
  })

  it('is copied in one line on request', async () => {
    expect(await migrate(await folder(), '--to', at('other'), '--line', '0.13')).toMatchObject({ code: 0 })
    const { store } = json(at('other'), 'chat_store.json')
    expect(store.u[0]).toMatchObject({ blocks: [], additional_kwargs: { tool_calls: [{ id: '1' }] } })
    expect(store.old[0].blocks).toEqual([{ block_type: 'text', text: 'Hello' }])
  })
})

describe('a value that cannot be migrated', () => {
  it('is left out by name on request, and stops nothing else', async () => {
    cpSync(join(samples, '0.12.22'), at('bad'), { recursive: true })
    const change = (name: string, from: string, to: string) =>
      writeFileSync(at('bad', name), file(at('bad'), name).replace(from, to))
    change('docstore.json', '"page": 1', '"page": NaN')
    change('chat_store.json', '"role": "user"', '"role": "nobody"')
    expect(await migrate(at('bad'), '--to', at('other'))).toMatchObject({ code: 1 })
    const { code, text } = await migrate(at('bad'), '--to', at('other'), '--allow-left-out')
    expect(code).toBe(0)
    expect(text).toContain('taken 9 of 10 nodes, 5 of 6 vectors, 2 of 2 indexes, 1 of 2 messages')
    expect(text).toMatch(/left out: docstore\.json: docstore\/data\.n1: .*NaN/)
    expect(text).toMatch(/left out: chat_store\.json: store\.ann\[0\]: .*role/)
    const ids = Object.entries(json(at('other'), 'index_store.json')['index_store/data']).map(([id, record]) => [
      id,
      Object.keys(JSON.parse((record as { __data__: string }).__data__).nodes_dict),
    ])
    expect(ids).toEqual([
      ['main', ['n0', 'n2', 'n3', 'n4', 'ix']],
      ['second', ['n0', 'n2', 'n3', 'n4']],
    ])
  })
})
