import { FunctionTool, ReActAgent } from '@x/agents'
import { ChatMessage, Document } from '@x/core-model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Library } from '../library.ts'
import { makeTools } from '../tools.ts'
import { isAskingWord, isEmptyWord, stem, wordsOf } from '../words.ts'
import { StandInModel } from './stand-in-model.ts'

async function answerOf(text: string, question: string): Promise<string> {
  const library = new Library()
  await library.add([new Document({ id: 'made-up.md', text, metadata: { file: 'made-up.md' } })])
  const agent = ReActAgent.fromTools({ llm: new StandInModel(), tools: makeTools(library) })
  return (await agent.chat(question)).response
}

/** Random words, such as `vukam`. */
const word = fc
  .array(fc.tuple(fc.constantFrom(...'bdfgklmnprtvz'), fc.constantFrom(...'aeiou')), { minLength: 2, maxLength: 4 })
  .map((syllables) => `${syllables.flat().join('')}k`)
  .filter((made) => wordsOf(made).every((one) => !isEmptyWord(one) && !isAskingWord(one)))

/** Words with different stems. */
const words = (count: number) =>
  fc.uniqueArray(word, { minLength: count, maxLength: count, selector: (made) => stem(wordsOf(made)[0]!) })

const value = fc.oneof(
  fc.integer({ min: -9999, max: 9999 }).map(String),
  fc.float({ min: 0, max: 1000, noNaN: true }).map((number) => `${number.toFixed(2)} €`),
  fc.stringMatching(/^[!-{}~]{1,12}$/).filter((text) => !/[|`\\]/.test(text)),
)

interface MadeTable {
  columns: string[]
  rows: string[][]
}

/** A table with names of one to three words for rows and columns, some of them shared. */
const table = fc
  .tuple(fc.integer({ min: 2, max: 6 }), fc.integer({ min: 1, max: 30 }), words(24))
  .chain(([width, height, pool]) => {
    const names = (from: string[], count: number) =>
      fc.uniqueArray(
        fc.uniqueArray(fc.constantFrom(...from), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' ')),
        {
          minLength: count,
          maxLength: count,
          // "vukam dole" and "dole vukam" are the same words.
          selector: (name) => name.split(' ').sort().join(' '),
        },
      )
    return fc.record({
      columns: names(pool.slice(0, 8), width),
      labels: names(pool.slice(8), height),
      values: fc.array(fc.array(value, { minLength: width - 1, maxLength: width - 1 }), {
        minLength: height,
        maxLength: height,
      }),
    })
  })
  .map(
    ({ columns, labels, values }): MadeTable => ({
      columns,
      rows: labels.map((label, index) => [label, ...values[index]!]),
    }),
  )

function markdownOf({ columns, rows }: MadeTable): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`
  return line(columns) + line(columns.map(() => '---')) + rows.map(line).join('')
}

const cellQuestion = fc.constantFrom(
  (row: string, column: string) => `What is the ${column} of ${row}?`,
  (row: string, column: string) => `Which value stands in row ${row} and column ${column}?`,
  (row: string, column: string) => `${row}: ${column}?`,
  (row: string, column: string) => `In the column "${column}", what does the row "${row}" say?`,
)

describe('StandInModel', () => {
  it('finds any cell of any table', async () => {
    await fc.assert(
      fc.asyncProperty(
        table,
        cellQuestion,
        fc.nat(),
        fc.nat(),
        fc.lorem(),
        async (made, ask, rowSeed, columnSeed, noise) => {
          const row = rowSeed % made.rows.length
          const column = 1 + (columnSeed % (made.columns.length - 1))
          const text = `# Title\n\n${noise}\n\n## Part\n\n${markdownOf(made)}\n${noise}\n`
          const answer = await answerOf(text, ask(made.rows[row]![0]!, made.columns[column]!))
          expect(answer).toContain(`${made.rows[row]![column]} (made-up.md:${9 + row})`)
        },
      ),
      { numRuns: 150 },
    )
  })

  it('finds rows and columns by their number', async () => {
    await fc.assert(
      fc.asyncProperty(table, fc.nat(), fc.nat(), async (made, rowSeed, columnSeed) => {
        const row = rowSeed % made.rows.length
        const column = columnSeed % made.columns.length
        const question = `What stands in row ${row + 1} and column ${column + 1} of the table of sizes?`
        const answer = await answerOf(`# Sizes\n\n${markdownOf(made)}`, question)
        expect(answer).toContain(`${made.rows[row]![column]} (made-up.md:${5 + row})`)
      }),
    )
  })

  it('counts the rows and names the columns of any table', async () => {
    await fc.assert(
      fc.asyncProperty(table, async (made) => {
        const text = `# Sizes\n\n${markdownOf(made)}`
        expect(await answerOf(text, 'How many rows does the table of sizes have?')).toContain(
          `has ${made.rows.length} rows`,
        )
        const names = made.columns.map((name) => `“${name}”`).join(', ')
        expect(await answerOf(text, 'Which columns does the table of sizes have?')).toContain(names)
      }),
    )
  })

  it('names the section about a subject', async () => {
    const document = fc.tuple(fc.integer({ min: 2, max: 8 }), words(40)).map(([count, pool]) =>
      Array.from({ length: count }, (_, index) => {
        const [heading, ...sentence] = pool.slice(index * 5, index * 5 + 5)
        return { heading: heading!, sentence }
      }),
    )
    await fc.assert(
      fc.asyncProperty(document, fc.nat(), async (sections, seed) => {
        const number = seed % sections.length
        const { heading, sentence } = sections[number]!
        const text = sections.map((one) => `## ${one.heading}\n\nThe ${one.sentence.join(' and ')}.\n`).join('\n')
        const line = number * 4 + 1
        const answer = await answerOf(text, `Which section speaks of ${sentence[1]} and ${sentence[3]}?`)
        expect(answer).toContain(`The section “${heading}” (made-up.md:${line}-${line + 2}) speaks of it`)
        expect(answer).toContain(`“The ${sentence.join(' and ')}.” (made-up.md:${line + 2})`)
      }),
    )
  })

  it('finds nothing in documents without the words', async () => {
    await fc.assert(
      fc.asyncProperty(words(12), async (pool) => {
        const text = `# ${pool[0]}\n\nThe ${pool.slice(1, 6).join(' ')}.\n`
        // Words that are not similar to any word of the document.
        const [first, second, third, fourth] = pool.slice(8).map((made) => `xylyx${made}`)
        for (const question of [
          `What is the ${first} of ${second}?`,
          `Which section speaks of ${third}?`,
          `How many rows does the table of ${fourth} have?`,
        ])
          expect(await answerOf(text, question)).toMatch(/^I found no/)
      }),
    )
  })

  it('lists the cells of several matching rows', async () => {
    const text =
      '| name | kind | from |\n|---|---|---|\n| pear | fruit | Chile |\n| leek | root | Spain |\n| plum | fruit | Serbia |\n'
    expect(await answerOf(text, 'Which name has the kind fruit?')).toBe(
      '“name” in the rows that match:\n- pear (made-up.md:3, row “pear”)\n- plum (made-up.md:5, row “plum”)',
    )
  })

  it('finds the largest and the smallest number of a column', async () => {
    const text =
      '| name | price |\n|---|---|\n| pear | about 1,970.50 € |\n| leek | 80 € |\n| plum | unknown |\n| fig | 9 € |\n'
    expect(await answerOf(text, 'Which name has the highest price?')).toBe(
      'about 1,970.50 €: the largest in the column “price”, row “pear” (made-up.md:3).',
    )
    expect(await answerOf(text, 'What has the lowest price?')).toContain(
      '9 €: the smallest in the column “price”, row “fig”',
    )
  })

  it('intersects the cells that a question names', async () => {
    const text =
      '| Plan | Region | Price |\n|---|---|---|\n| Pro | EU | 20 |\n| Pro | US | 18 |\n| Team | EU | 40 |\n| Team | US | 36 |\n'
    const price = (value: string, line: number, names: string) =>
      `${value} (made-up.md:${line}): column “Price”, row ${names}.`
    expect(await answerOf(text, 'What is the price of Pro in the region EU?')).toBe(price('20', 3, '“Pro”, “EU”'))
    expect(await answerOf(text, 'What does Team cost in the US?')).toBe(price('36', 6, '“Team”, “US”'))
    expect(await answerOf(text, 'What is the price in region US?')).toContain('- 18 (made-up.md:4, row “Pro”)\n- 36')
  })

  it('compares units, thousands and millions, and digit groups', async () => {
    const table = (cells: string[]) =>
      `| name | size |\n|---|---|\n${cells.map((cell, at) => `| n${at} | ${cell} |\n`).join('')}`
    const extreme = (cells: string[], word: string) => answerOf(table(cells), `Which name has the ${word} size?`)
    expect(await extreme(['900K', '1.2M', '40 000'], 'largest')).toContain('1.2M: the largest')
    expect(await extreme(['12 KB', '3 MB', '800 B'], 'largest')).toContain('3 MB: the largest')
    expect(await extreme(['950 ms', '2 s', '30 µs'], 'largest')).toContain('2 s: the largest')
    expect(await extreme(['950 ms', '2 s', '30 µs'], 'smallest')).toContain('30 µs: the smallest')
    expect(await extreme(['3 kg', '2 m'], 'largest')).toBe(
      'I cannot compare the column “size” (made-up.md:1-4): the units of “kg” and “m” differ.',
    )
  })

  it('finds the largest of any number of rows', async () => {
    const rows = Array.from({ length: 120 }, (_, at) => `| item ${at} | ${(at * 37) % 120} |\n`)
    const text = `| item | price |\n|---|---|\n${rows.join('')}`
    expect(await answerOf(text, 'Which item has the highest price?')).toContain(
      '119: the largest in the column “price”',
    )
    expect(await answerOf(text, 'How many items have a price above 100?')).toContain(
      '19 of the 120 rows have “price” > “100” (made-up.md:1-122)',
    )
  })

  it('compares two rows, and states the difference', async () => {
    const text = '| city | people |\n|---|---|\n| Ulm | 12,500 |\n| Bonn | 33,000 |\n| Kiel | 24,000 |\n'
    expect(await answerOf(text, 'Is Ulm larger than Kiel by people?')).toContain('No, in the column “people”')
    expect(await answerOf(text, 'Which has more people, Bonn or Kiel?')).toContain('“Bonn” has the larger value')
    expect(await answerOf(text, 'How many more people does Bonn have than Ulm?')).toContain('20,500 is the difference')
  })

  it('adds up a column, or states why it cannot', async () => {
    const text = '| tool | price | weight |\n|---|---|---|\n| saw | 12.50 € | 2 kg |\n| axe | 30 € | heavy |\n'
    expect(await answerOf(text, 'What is the total price of the tools?')).toContain(
      '42.5 €: the sum of the column “price”',
    )
    expect(await answerOf(text, 'What is the average price of a tool?')).toContain('21.25 €: the mean')
    expect(await answerOf(text, 'What is the total weight of the tools?')).toMatch(
      /^I cannot add up the column “weight”/,
    )
  })

  it('answers with all items of a list', async () => {
    const text = '# Zoo\n\nThese animals live here:\n\n- newts\n- owls,\n  also at night\n- yaks\n\nTickets cost 5 €.\n'
    expect(await answerOf(text, 'Which animals live in the zoo?')).toBe(
      '“These animals live here:” (made-up.md:5-8):\n- newts (made-up.md:5)\n- owls, also at night (made-up.md:6)\n- yaks (made-up.md:8)',
    )
  })

  it('corrects a misspelt word, and reports the correction', async () => {
    const text = '| name | population |\n|---|---|\n| Estrand | 150 |\n| Corvik | 9 |\n'
    expect(await answerOf(text, 'What is the populaton of Estrand?')).toBe(
      '150 (made-up.md:3): column “population”, row “Estrand”.\nI read “populaton” as “population”.',
    )
  })

  it('counts the items that a table lists', async () => {
    const text = '# Fruits\n\n| fruit | price |\n|---|---|\n| pear | 2 |\n| fig | 3 |\n'
    expect(await answerOf(text, 'How many fruits are there?')).toBe(
      'The table in section “Fruits” (made-up.md:3-6) has 2 rows, one for each “fruit”.',
    )
  })

  it('prints names of rows and columns without Markdown syntax, and values as written', async () => {
    const text = '| **name** | [home](https://a.b) |\n|---|---|\n| [`pear`](#pear) | `a` **b** |\n| fig | 3 |\n'
    expect(await answerOf(text, 'What is the home of pear?')).toBe(
      '`a` **b** (made-up.md:3): column “home”, row “pear”.',
    )
  })

  it('finds a row by its content', async () => {
    const table =
      '| store | keeps |\n|---|---|\n| shelf | old books and maps |\n| cellar | wine |\n| attic | toys and maps |\n'
    expect(await answerOf(table, 'Which store keeps books?')).toContain(
      'shelf (made-up.md:3): column “store”, row “old books and maps”',
    )
    expect(await answerOf(table, 'Which store keeps wine?')).toContain('cellar (made-up.md:4)')
    expect(await answerOf(table, 'Which store keeps cheese?')).toBe(
      'No passage answers this for certain. The closest:\n- a table with the columns “store”, “keeps” (made-up.md:1-5)\nNo document contains “cheese”.',
    )
  })

  it('states whether a row is named or the closest match', async () => {
    const text = '| name | price |\n|---|---|\n| any | 1 |\n| red apple | 2 |\n'
    expect(await answerOf(text, 'What is the price of any?')).toBe('1 (made-up.md:3): column “price”, row “any”.')
    expect(await answerOf(text, 'What is the price of an apple?')).toBe(
      '2 (made-up.md:4): column “price”, closest row “red apple”.',
    )
    expect(await answerOf(text, 'What is the weight of the red apple?')).toBe(
      'No passage answers this for certain. The closest:\n- name: red apple; price: 2 (made-up.md:4)\nNo document contains “weight”.',
    )
  })

  it('answers any question about any document', async () => {
    const piece = fc.constantFrom(
      '# a',
      '## b',
      '| a | b |',
      '|---|---|',
      '| 1 |',
      '- ',
      '> ',
      '```',
      '    x',
      '\n',
      '\r\n',
      '<table>',
      '<td>',
      '[a]: b',
      '\u0000',
      'a: b. c',
      '検索',
      '---',
      '\ud800',
      '***',
    )
    const markdown = fc.array(fc.oneof(piece, fc.string()), { maxLength: 30 }).map((pieces) => pieces.join('\n'))
    const start = fc.constantFrom(
      '',
      'What is ',
      'How many ',
      'Which section speaks of ',
      'Which columns ',
      'row 1 column 2 ',
      'highest ',
    )
    await fc.assert(
      fc.asyncProperty(
        markdown,
        start,
        fc.oneof(fc.string(), fc.constantFrom('a', 'b', 'x', '1')),
        async (text, first, rest) => {
          expect(await answerOf(text, first + rest)).not.toBe('')
        },
      ),
      { numRuns: 300 },
    )
  })

  it('answers without tools that it cannot answer, and why', async () => {
    const { message } = await new StandInModel().chat([new ChatMessage({ content: 'Who?' })])
    expect(message.content).toContain('Answer: I cannot answer')
  })

  it('recognizes tools by their arguments, with any names', async () => {
    const finder = FunctionTool.fromDefaults({
      name: 'finder',
      schema: { type: 'object', properties: { query: { type: 'string' } } },
      fn: () => [{ place: 'a.md:7', heading: '', text: 'A quince is a fruit.', score: 1 }],
    })
    const agent = ReActAgent.fromTools({ llm: new StandInModel(), tools: [finder] })
    expect((await agent.chat('What is a quince?')).response).toBe('“A quince is a fruit.” (a.md:7)')
  })

  it('answers the last question of a conversation', async () => {
    const library = new Library()
    const text = 'A drupe has one stone.\n\nA pome has a core.\n'
    await library.add([new Document({ id: 'a.md', text, metadata: { file: 'a.md' } })])
    const agent = ReActAgent.fromTools({ llm: new StandInModel(), tools: makeTools(library) })
    expect((await agent.chat('What has a drupe?')).response).toContain('one stone')
    expect((await agent.chat('What has a pome?')).response).toContain('a core')
  })

  it('streams its answer', async () => {
    const messages = [new ChatMessage({ content: 'Who?' })]
    const { message } = await new StandInModel().chat(messages)
    let streamed = ''
    for await (const { delta } of new StandInModel().streamChat(messages)) streamed += delta
    expect(streamed).toBe(message.content)
  })
})
