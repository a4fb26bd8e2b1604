import { Document } from '@x/core-model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fenceOf } from './code-fences.ts'
import { countTokens } from './count-tokens.ts'
import { readBlocks } from './markdown/read-blocks.ts'
import { MarkdownNodeParser } from './markdown-node-parser.ts'

type Options = ConstructorParameters<typeof MarkdownNodeParser>[0]
const parse = (text: string, options: Options) =>
  new MarkdownNodeParser(options).getNodesFromDocuments([new Document({ text })])

const lines = Array.from({ length: 20 }, (_, index) => `const value${index} = ${index}`)
const code = `\`\`\`ts\n${lines.join('\n')}\n\`\`\``
const isWhole = (text: string) => {
  const blocks = readBlocks(text).filter(({ kind }) => kind === 'code')
  return blocks.every(({ start, end }) => /^ {0,3}(`{3,}|~{3,})[\s\S]*\n {0,3}\1$/.test(text.slice(start, end)))
}

describe('fenceOf', () => {
  it.each<[string, string | null]>([
    ['```ts\na\nb\n```', 'a\nb\n'],
    ['```ts\r\na\r\n```', 'a\r\n'],
    ['~~~~\na\n~~~\n~~~~~', 'a\n~~~\n'],
    ['```\na', 'a'],
    ['```\n```', ''],
    ['```', ''],
    ['``` a`b\nc', null],
    ['    a\n    b', null],
  ])('has the lines between the fences: %j', (text, body) => {
    const fence = fenceOf(text, readBlocks(text)[0] as never)
    expect(fence && text.slice(fence.bodyStart, fence.bodyEnd)).toBe(body)
  })
})

describe('MarkdownNodeParser with code blocks larger than a chunk', () => {
  it('closes a block that is cut, and opens it again in the next node', async () => {
    const text = `# A\n\nText.\n\n${code}\n\nEnd.`
    for (const options of [{}, { repeatHeading: true }, { chunkOverlap: 10 }]) {
      const nodes = await parse(text, { chunkSize: 40, ...options })
      expect(nodes.length).toBeGreaterThan(2)
      for (const node of nodes) {
        expect(countTokens(node.text, null)).toBeLessThanOrEqual(40)
        const slice = text.slice(node.startCharIdx ?? 0, node.endCharIdx ?? 0)
        expect(node.text).toContain(slice)
        if (slice.includes('const')) expect(node.text.match(/^```(ts)?$/gm)).toEqual(['```ts', '```'])
        expect(isWhole(node.text)).toBe(true)
      }
      for (const line of lines) expect(nodes.some((node) => node.text.includes(`${line}\n`))).toBe(true)
    }
  })

  it('repeats fences of any length, with their language', async () => {
    for (const open of ['~~~~ python title="a"', '   ````js', '```']) {
      const fence = /[~`]+/.exec(open)?.[0] ?? ''
      const nodes = await parse(`${open}\n${lines.join('\n')}\n${fence}`, { chunkSize: 40 })
      expect(nodes.length).toBeGreaterThan(2)
      for (const { text } of nodes) {
        expect(text.startsWith(open.trimStart()) || text.startsWith(open)).toBe(true)
        expect(text.endsWith(`\n${fence}`)).toBe(true)
      }
    }
  })

  it('never separates the opening line from the code, nor the closing line', async () => {
    for (let words = 1; words < 40; words++) {
      const nodes = await parse(`${'word '.repeat(words)}\n\n${code}`, { chunkSize: 40 })
      for (const { startCharIdx, endCharIdx, text } of nodes) {
        expect(text).not.toMatch(/^```ts\n```$/)
        expect((endCharIdx ?? 0) - (startCharIdx ?? 0)).toBeGreaterThan(3)
      }
    }
  })

  it('leaves code without fences, and all code with repeatCodeFence: false, as written', async () => {
    const indented = lines.map((line) => `    ${line}`).join('\n')
    const unclosed = `\`\`\`ts\n${lines.join('\n')}`
    for (const [text, options] of [
      [indented, {}],
      [code, { repeatCodeFence: false }],
    ] as const)
      for (const node of await parse(text, { chunkSize: 40, ...options }))
        expect(text.slice(node.startCharIdx ?? 0, node.endCharIdx ?? 0)).toBe(node.text)
    const nodes = await parse(unclosed, { chunkSize: 40 })
    expect(nodes.map(({ text }) => text.endsWith('\n```'))).toEqual(nodes.map((_, index) => index < nodes.length - 1))
  })

  it('never exceeds the size, and loses nothing', async () => {
    const unit = fc.constantFrom('```ts\n', '```\n', '~~~\n', 'a word ', 'x\n', '\n', '# h\n', 'longer_identifier ')
    const units = fc.array(unit, { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(units, fc.integer({ min: 3, max: 20 }), fc.nat(2), async (parts, chunkSize, chunkOverlap) => {
        const text = parts.join('')
        const nodes = await parse(text, { chunkSize, chunkOverlap })
        let covered = 0
        for (const node of nodes) {
          const [start, end] = [node.startCharIdx ?? 0, node.endCharIdx ?? 0]
          expect(text.slice(covered, start).trim()).toBe('')
          expect(node.text).toContain(text.slice(start, end))
          expect(countTokens(node.text, null)).toBeLessThanOrEqual(chunkSize)
          covered = Math.max(covered, end)
        }
        expect(text.slice(covered).trim()).toBe('')
      }),
    )
  })
})
