import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Document } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { Language, Parser } from 'web-tree-sitter'
import { CodeTextSplitter } from './code-text-splitter.ts'
import { countTokens } from './count-tokens.ts'

const require = createRequire(import.meta.url)
await Parser.init()
const parserOf = async (name: string) => {
  const wasm = await readFile(require.resolve(`tree-sitter-${name}/tree-sitter-${name}.wasm`))
  return new Parser().setLanguage(await Language.load(wasm))
}
const python = await parserOf('python')
const javascript = await parserOf('javascript')

const code = `import os

# Greets.
def greet(name):
    print("hello", name)

class Store:
    """Keeps values."""

    def get(self, key):
        return self.values[key]

    # Writes a value.
    def set(self, key, value):
        self.values[key] = value
`

describe('CodeTextSplitter', () => {
  it('splits between classes and functions, and keeps comments with what follows', () => {
    const split = (chunkSize: number) => new CodeTextSplitter({ parser: python, chunkSize }).splitText(code)
    expect(split(45).map((chunk) => chunk.split('\n')[0])).toEqual(['import os', 'class Store:'])
    expect(split(25)).toEqual([
      'import os\n\n# Greets.\ndef greet(name):\n    print("hello", name)',
      'class Store:\n    """Keeps values."""\n\n    def get(self, key):\n        return self.values[key]',
      '# Writes a value.\n    def set(self, key, value):\n        self.values[key] = value',
    ])
  })

  it('returns nodes with offsets, within the size, for correct and broken code', async () => {
    const text = `const café = '☕';\n${'function f(a) { return a + 1 }\n'.repeat(20)}class A { m() { if (x) { y() } } n() {} }\n}}} (`
    for (const chunkSize of [4, 10, 40]) {
      const splitter = new CodeTextSplitter({ parser: javascript, chunkSize })
      const nodes = await splitter.getNodesFromDocuments([new Document({ text })])
      for (const { text: own, startCharIdx, endCharIdx } of nodes) {
        expect(text.slice(startCharIdx ?? -1, endCharIdx ?? -1)).toBe(own)
        expect(countTokens(own, null)).toBeLessThanOrEqual(chunkSize)
      }
      expect(
        nodes
          .map((node) => node.text)
          .join('')
          .replace(/\s/g, ''),
      ).toBe(text.replace(/\s/g, ''))
    }
    const functions = new CodeTextSplitter({ parser: javascript, chunkSize: 10 }).splitText(text)
    expect(functions.filter((chunk) => chunk === 'function f(a) { return a + 1 }')).toHaveLength(20)
  })

  it('splits between lines without a tree, and requires a parser', () => {
    const splitter = new CodeTextSplitter({ parser: { parse: () => null }, chunkSize: 2 })
    expect(splitter.splitText('a = 1\nb = 2\n')).toEqual(['a = 1', 'b = 2'])
    expect(() => new CodeTextSplitter({} as { parser: Parser })).toThrow('CodeTextSplitter.parser')
  })
})
