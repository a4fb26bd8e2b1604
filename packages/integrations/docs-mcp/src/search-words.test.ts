import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DocsIndex, documentOf, IN_MEMORY, searchedWords } from './docs-index.ts'

const sections: Record<string, string> = {
  this: 'The keyword `this` names the object of a method.',
  if: 'An `if` runs a branch on a condition.',
  while: 'A `while` loop repeats.',
  'for of': 'A `for of` loop reads each item.',
  IT: 'The department IT answers tickets.',
  US: 'Orders from the US arrive later.',
  WHO: 'The WHO publishes reports.',
  Häuser: 'Die Häuser stehen am Hang. Das Hochhaus steht unten.',
  other: 'Nothing about it, and nothing about us or any object.',
}

describe('a search', () => {
  let index: DocsIndex
  beforeAll(async () => {
    index = await DocsIndex.open(IN_MEMORY, 'docs')
    const documents = Object.entries(sections).map(([name, text]) => documentOf(`${name}.md`, `# ${name}\n\n${text}`))
    await index.replaceAll(
      (async function* () {
        yield* documents
      })(),
    )
  })
  afterAll(() => index.close())

  it.each([
    ['this', 'this'],
    ['What does `this` mean?', 'this'],
    ['if', 'if'],
    ['while', 'while'],
    ['for of', 'for of'],
    ['IT', 'IT'],
    ['Who is in IT?', 'IT'],
    ['US', 'US'],
    ['WHO', 'WHO'],
    ['Haus', 'Häuser'],
    ['Hochhäuser', 'Häuser'],
  ])('for %s finds its passage', async (query, name) => {
    const [best] = await index.search(query, 3, {})
    expect(best?.node.refDocId).toBe(`${name}.md`)
  })
})

it.each([
  ['What does the parser do?', 'parser'],
  ['for of', 'for of'],
  ['What does `this` mean?', '`this` mean'],
  ['Who is in IT?', 'IT'],
  ['', ''],
])('the searched words of "%s" are "%s"', (query, words) => {
  expect(searchedWords(query)).toBe(words)
})
