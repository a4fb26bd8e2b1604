import { readSections } from '@x/node-parser'
import { describe, expect, it } from 'vitest'
import { SectionIndex } from './section-index.ts'
import { questionTerms } from './words.ts'

const english =
  '# Server\n\nThis is how the server works with the body of a request: what it does to it.\n\n# Log\n\nThe log is what you see when it does not work; this is the default of the server.'
const german =
  '# Server\n\nDas ist die Art, wie der Server mit dem Inhalt einer Anfrage umgeht, und es wird nicht im Protokoll gezeigt.\n\n# Protokoll\n\nDas Protokoll wird gezeigt, wenn es nicht geht, und das ist der Standard.'
const indexOf = (text: string) => {
  const index = new SectionIndex()
  index.set('a.md', readSections(text))
  return index
}

describe('the language of a question', () => {
  it.each([
    ['Welche Fehlermeldungen sind rot?', 'German'],
    ['Wie groß darf eine Anfrage sein?', 'German'],
    ['Quelle est la taille maximale pour une requête ?', 'French'],
    ['¿Cuál es el tamaño máximo de las peticiones?', 'Spanish'],
    ['Qual è il limite della richiesta?', 'Italian'],
    ['Hoe groot kan een verzoek zijn?', 'Dutch'],
    ['Jaki jest limit i gdzie się go zmienia?', 'Polish'],
    ['请求的大小限制是多少？', 'Chinese'],
    ['リクエストの最大サイズは？', 'Japanese'],
    ['최대 요청 크기는?', 'Korean'],
    ['Какой размер запроса в bodyLimit?', 'Russian or another language in Cyrillic'],
  ])('%j is said to be another one than that of English documents', (question, language) => {
    expect(indexOf(english).otherLanguage(question)).toEqual({ question: language, documents: 'English' })
  })

  it.each([
    'How large may a request be?',
    'server log',
    'bodyLimit',
    'die server',
    'kill the process that does not die',
    'no se default',
    'Standard Protokoll',
    'What does Größe mean?',
    '',
  ])('%j is not', (question) => {
    expect(indexOf(english).otherLanguage(question)).toBeNull()
  })

  it('is compared with that of the documents', () => {
    expect(indexOf(german).otherLanguage('How large may the body of a request be?')).toEqual({
      question: 'English',
      documents: 'German',
    })
    expect(indexOf(german).otherLanguage('Wie wird das Protokoll gezeigt?')).toBeNull()
    expect(indexOf('# 服务器\n\n请求的大小限制是默认的。').otherLanguage('What is the limit of this?')).toEqual({
      question: 'English',
      documents: 'Chinese',
    })
    expect(indexOf('# API\n\n`a` `b`').otherLanguage('Wie ist das?')).toBeNull()
  })
})

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

const index = new SectionIndex()
for (const [name, text] of Object.entries(sections)) index.set(`${name}.md`, readSections(`# ${name}\n\n${text}`))

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
])('a search for %s finds its section', (question, name) => {
  expect(index.search(question)[0]?.file).toBe(`${name}.md`)
})

it.each([
  ['What does the parser do?', ['parser']],
  ['for of', ['for', 'of']],
  ['What does `this` mean?', ['thi']],
  ['Who is in IT?', ['it']],
  ['', []],
])('the searched terms of "%s" are %j', (question, terms) => {
  expect(questionTerms(question)).toEqual(terms)
})
