// @module-tag system
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeSamples } from '../../../../tools/conformance/sample-folders.ts'
import { run } from './program.ts'
import { script } from './prove-with.ts'

const sample = join(writeSamples(), '0.12.52')

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'migrate-prove-'))
})
afterEach(() => rmSync(directory, { recursive: true }))
const at = (name: string) => join(directory, name)

/** A program that reads the folder as Python does, and prints what `change` makes of it. */
function standIn(change = ''): string {
  const path = at('python.mjs')
  writeFileSync(
    path,
    `#!${process.execPath}
import { readFileSync } from 'node:fs'
const [flag, script, folder, top] = process.argv.slice(2)
if (flag !== '-c' || !script.includes('llama_index.core')) process.exit(3)
const read = (name) => JSON.parse(readFileSync(folder + '/' + name, 'utf8'))
const { 'docstore/data': data, 'docstore/metadata': hashes } = read('docstore.json')
const nodes = Object.values(data).map(({ __data__: node }) => {
  const isDocument = 'text_resource' in node
  const text = isDocument ? (node.text_resource?.text ?? '') : node.text
  const metadata = Object.entries(node.metadata).map(([key, value]) =>
    key + ': ' + (key === 'big' ? '1152921504606846976' : key === 'nested' ? "{'a': [1, None, 2.5]}" : value)).join('\\n')
  const whole = metadata === '' ? text : metadata + '\\n\\n' + text
  return { id: node.id_, text, metadata, contents: isDocument ? null : [whole, whole, whole, text], hash: hashes[node.id_].doc_hash }
})
const chats = Object.fromEntries(Object.entries(read('chat_store.json').store).map(([key, list]) =>
  [key, list.map(({ blocks }) => blocks[0].text)]))
const vectors = Object.entries(read('default__vector_store.json').embedding_dict)
const dot = (a, b) => a.reduce((sum, value, at) => sum + value * b[at], 0)
const near = (a, b) => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
const answer = vectors.map(([id, vector]) => [id, near(vectors[0][1], vector)]).sort((a, b) => b[1] - a[1]).slice(0, Number(top))
const result = { version: '0.12.52.post1', nodes, chats, answer }
${change}
console.log('a warning of a library')
console.log(JSON.stringify(result))
`,
  )
  chmodSync(path, 0o755)
  return path
}

async function migrate(command: string) {
  const lines: string[] = []
  const code = await run([sample, '--to', at('out'), '--prove-with', command], {
    print: (line) => lines.push(line),
    report: () => {},
  })
  return { code, text: lines.join('\n') }
}

describe('--prove-with', () => {
  it('says what the program reads', async () => {
    const { code, text } = await migrate(standIn())
    expect([code, text]).toEqual([
      0,
      expect.stringContaining(
        'python.mjs with llama-index-core 0.12.52.post1, written for 0.12.32: 10 nodes, 2 messages and the 3 answers of a query are the same',
      ),
    ])
    expect(existsSync(at('out'))).toBe(true)
  })

  it.each([
    ["result.nodes[0].text += ' '", 'node n0: the text'],
    ["result.nodes[0].contents[2] = ''", 'node n0: the content in the mode llm'],
    ["result.nodes[1].metadata = ''", 'node n1: the metadata'],
    ["result.nodes[2].hash = 'other'", 'node n2: the hash'],
    ['result.nodes.pop()', 'node empty: it is missing'],
    ["result.nodes.push({ ...result.nodes[0], id: 'more' })", '11 nodes instead of 10'],
    ['result.chats.ann.pop()', 'conversation ann: the number of messages'],
    ["result.chats.ann[0] = 'Hi'", 'conversation ann: the text of a message'],
    ['result.answer[1][1] += 0.001', 'the answer of the query'],
    ['result.answer.reverse()', 'the answer of the query'],
    ['result.answer.pop()', 'the answer of the query'],
  ])('refuses what differs: %s', async (change, reason) => {
    const { code, text } = await migrate(standIn(change))
    expect([code, text]).toEqual([1, expect.stringContaining(reason)])
    expect(text).toContain('Nothing was written')
    expect(existsSync(at('out'))).toBe(false)
  })

  it.each([
    [
      'console.error("ModuleNotFoundError: No module named \'llama_index\'"); process.exit(1)',
      'it has no package llama-index-core',
    ],
    [
      "console.error('Traceback'); console.error('ValueError: no'); process.exit(1)",
      'it cannot load what was written: ValueError: no',
    ],
    ["console.log('hello'); process.exit(0)", 'expected the result of the script, received other output'],
  ])('says why there is no result: %s', async (change, reason) => {
    const { code, text } = await migrate(standIn(change))
    expect([code, text]).toEqual([1, expect.stringContaining(reason)])
  })

  it('says that a program does not exist', async () => {
    expect((await migrate(at('no-python'))).text).toContain('no-python does not exist')
  })

  it.skipIf(!hasPython())('is a program that Python compiles', () => {
    const program = 'import ast, sys; ast.parse(sys.stdin.read())'
    execFileSync('python3', ['-c', program], { input: script })
    expect(() => execFileSync('python3', ['-c', program], { input: `${script}\n)`, stdio: 'pipe' })).toThrow(
      'SyntaxError',
    )
  })
})

function hasPython(): boolean {
  try {
    execFileSync('python3', ['--version'])
    return true
  } catch {
    return false
  }
}
