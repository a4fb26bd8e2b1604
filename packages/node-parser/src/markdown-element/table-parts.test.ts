import { Document } from '@x/core-model'
import { expect, it } from 'vitest'
import { countTokens } from '../count-tokens.ts'
import { MarkdownElementNodeParser } from './markdown-element-node-parser.ts'

it('no part of a table is larger than maxTableTokens, the first one with the summary included', async () => {
  const text = `# A long heading over a table\n\n| name | price |\n|---|---|\n${'| apple | 2 |\n'.repeat(60)}`
  for (const maxTableTokens of [50, 60, 100, 200, 260]) {
    const parser = new MarkdownElementNodeParser({ summarizer: 'headers', maxTableTokens })
    const nodes = await parser.getNodesFromDocuments([new Document({ text })])
    const parts = nodes.filter(({ metadata }) => Object.hasOwn(metadata, 'table_summary'))
    expect(Math.max(...parts.map((node) => countTokens(node.text, null)))).toBeLessThanOrEqual(maxTableTokens)
    expect(parts.map((node) => node.text.split('|apple|2|').length - 1).reduce((sum, count) => sum + count)).toBe(60)
  }
})
