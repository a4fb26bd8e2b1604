import { readSections } from '@x/node-parser'
import { expect, it } from 'vitest'
import { SectionIndex } from './section-index.ts'
import { questionTerms } from './words.ts'

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
