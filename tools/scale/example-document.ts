import { Document } from '@x/core-model'

const WORDS =
  'pump valve pressure flow inlet outlet seal shaft motor bearing service interval wear limit torque setting north plant supplier order'.split(
    ' ',
  )
const PARAGRAPHS = 12
const WORDS_PER_PARAGRAPH = 80
const ROWS = 10

/** Returns a Markdown document of about 8 kB with twelve sections and two tables; each number returns a different text. */
export function exampleDocument(number: number): Document {
  const word = (i: number) => WORDS[(i * 7 + number * 13 + (i >> 3)) % WORDS.length]!
  const sections = Array.from({ length: PARAGRAPHS }, (_, section) => {
    const words = Array.from({ length: WORDS_PER_PARAGRAPH }, (_, i) => word(section * WORDS_PER_PARAGRAPH + i))
    const table = section % 6 === 3 ? `\n\n${exampleTable(number, section)}` : ''
    return `## Part ${number}.${section}\n\n${words.join(' ')}.${table}`
  })
  return new Document({ id: `document-${number}`, text: `# Document ${number}\n\n${sections.join('\n\n')}\n` })
}

function exampleTable(number: number, section: number): string {
  const rows = Array.from(
    { length: ROWS },
    (_, i) => `| part ${number}-${section}-${i} | ${i * 17 + number} | ${WORDS[i]} |`,
  )
  return ['| part | price | place |', '| --- | ---: | --- |', ...rows].join('\n')
}
