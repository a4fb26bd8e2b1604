import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ask } from './ask.ts'

const project = join(import.meta.dirname, '..', '..', '..')
const readme = readFileSync(join(project, 'README.md'), 'utf8')
const commands = [...readme.matchAll(/^npm start(?: --)?(.*)$/gm)].map(([, rest = '']) => rest.trim())

/** The lines that the answer to each command of the README must contain. */
const answers: Record<string, string[]> = {
  '': ['“A postprocessor is a step between a retriever and a language model', 'docs/concepts.md:'],
  'docs/ "Which fields does LLMRerank have?"': [
    'lists 5:',
    '- callback_manager',
    '- top_n',
    '- choice_select_prompt',
    '- choice_batch_size',
    '- llm',
  ],
  '"Which packages are there?"': [...readme.matchAll(/^\| \[`(@x\/[\w-]+)`\]/gm)].map(([, name]) => `- ${name}: `),
  help: ['Usage', '--base-url'],
}

it('knows the answers to the commands of the README', () => {
  expect(commands.sort()).toEqual(Object.keys(answers).sort())
})

it.each(Object.entries(answers))('npm start %s', async (command, lines) => {
  let printed = ''
  const stdout = { write: (text: string) => (printed += text).length > 0 }
  const args = [...command.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word)
  const env = {}
  const runs = join(import.meta.dirname, '..', '.runs', 'readme')
  const options = command === 'help' ? [] : ['--runs', runs]
  expect(await ask([...options, ...args], { stdout, stderr: stdout, env, folder: project, project })).toBe(0)
  const answer = command === 'help' ? printed : printed.slice(printed.indexOf('\nAnswer\n'))
  for (const line of lines) expect(answer).toContain(line)
})
