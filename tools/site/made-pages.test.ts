import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { skillTexts } from '../skill-texts.ts'
import { headline } from './descriptions.ts'
import { adviceOf, errorCauses, errorCodes, errorsPage } from './errors.ts'
import { declaredEvents, recordEvents } from './events.ts'
import { homePage } from './home.ts'
import { llmsList, llmsParts, pageList } from './llms.ts'
import { decisionsPage, filePages, madePage, root, withSiteLinks } from './pages.ts'

it('knows the code, the class, the message and the fields of an error', () => {
  const codes = errorCodes()
  expect(codes.find(({ code }) => code === 'tool_timeout')).toEqual({
    code: 'tool_timeout',
    className: 'ToolTimeoutError',
    packageName: '@x/agents',
    comment: expect.stringMatching(/^Thrown when a tool /),
    message: expect.stringContaining('… ms'),
    fields: expect.arrayContaining(['milliseconds']),
    retryable: expect.any(Boolean),
  })
  for (const code of ['model_validation', 'sqlite_busy', 'missing_variable', 'rerank_score'])
    expect(errorsPage()).toContain(`\n## \`${code}\`\n`)
})

it('says of each error what happened, three causes, what to do, and how to recognize it', () => {
  const codes = errorCodes().map(({ code }) => code)
  const sections = errorsPage().split(/^## /m).slice(1)
  expect(sections.length).toBe(codes.length)
  const whole = /^`\w+`\n\n[A-Z`].*\n\nUsual causes:\n\n(?:- [A-Z`].*\.\n){3}\n\*\*What to do\.\*\* .*\n\n```ts\n/
  expect(sections.filter((section) => !whole.test(section)).map((section) => section.split('\n')[0])).toEqual([])
})

it('refuses a code without causes, and causes of no code', () => {
  expect(() => errorCauses(['late'], '## late\n\n- A.\n')).toThrow('expected 3 causes of late.')
  expect(() => errorCauses([], '## gone\n\n- A.\n')).toThrow('no package has the code gone.')
  expect(errorCauses(['late'], '## late\n\n- A.\n- B.\n- C.\n').get('late')).toEqual(['A.', 'B.', 'C.'])
})

it('refuses an error that does not say what to do', () => {
  const given = { className: 'LateError', comment: 'Thrown when it is late.', message: '…: it is late.' }
  expect(() => adviceOf(given)).toThrow('LateError: its comment and its message do not say what to do')
  expect(adviceOf({ ...given, comment: 'Thrown when it is late. Be early.' })).toEqual({
    when: 'Thrown when it is late.',
    advice: ['Be early.'],
  })
  expect(adviceOf({ ...given, message: '…: it is late; be early.' }).advice).toEqual([])
})

it('records every kind of event of a run', async () => {
  const { events } = await recordEvents()
  const recorded = new Set<string>(events.map(({ type }) => type))
  expect([...declaredEvents().keys()].filter((type) => !recorded.has(type))).toEqual([])
  expect(recorded.size).toBe(declaredEvents().size)
})

it('writes links to pages, to files that are no page, and refuses one that leads nowhere', () => {
  const links = (text: string) => withSiteLinks('docs/guides/trace.md', text)
  expect(links('[a](persist.md#keep) [b](../../packages/agents) [c](https://other.example)')).toBe(
    '[a](/guides/persist#keep) [b](/packages/agents) [c](https://other.example)',
  )
  expect(links('[license](../../LICENSE)')).toMatch(/^\[license\]\(https:\/\/.*\/LICENSE\)$/)
  expect(links('`[x](href)`\n\n```md\n[y](nothing.md)\n```')).toContain('[y](nothing.md)')
  expect(() => links('[gone](gone.md)')).toThrow('docs/guides/trace.md: the link gone.md leads nowhere.')
})

const pages = [...filePages(), decisionsPage(), madePage('errors', errorsPage())]

it('describes each page in whole sentences', () => {
  const lines = pageList(pages, '').match(/^- .*$/gm) ?? []
  expect(lines.length).toBe(pages.length)
  expect(lines.filter((line) => !/^- \[.*\]\(\S+\.md\): [A-Z@].{20,}\.$/.test(line))).toEqual([])
})

it('says the same headline everywhere', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  for (const text of [readme, homePage(), pageList(pages, '')]) expect(text).toContain(headline)
})

it('has a first page with commands, and without marks', () => {
  expect(homePage()).not.toContain('<!--')
  for (const command of ['npm create @x', 'npm install @x/']) expect(homePage()).toContain(command)
})

it.each(['ai-sdk', 'langchain', 'mastra', 'tanstack-ai'])('moves from %s to a program that is not longer', (name) => {
  const text = readFileSync(join(root, 'docs', 'come-from', `${name}.md`), 'utf8')
  const [theirs, ours] = [/```typescript\n([\s\S]*?)```/, /```ts\n([\s\S]*?)```/].map((fence) => fence.exec(text)![1]!)
  expect(ours!.split('\n').length).toBeLessThanOrEqual(theirs!.split('\n').length)
  expect(ours!.split('\n').filter((line) => line.length > 120)).toEqual([])
  // Both ask a real model.
  expect(ours).toContain('new OpenAI(')
})

it('shows no field of an error that only agents read', () => {
  expect(errorsPage()).toContain('error.toolName')
  expect(errorsPage()).not.toContain('error.fatal')
})

it('each link of llms.txt has a description', () => {
  const links = llmsList(pages).match(/^- \[.*$/gm)!
  expect(links.length).toBeGreaterThan(100)
  expect(links.filter((link) => !/^- \[.+\]\(.+\): .+[.?!]$/.test(link))).toEqual([])
})

it.each(['ai-sdk', 'openai', 'sqlite', 'postgres', 'dbos', 'restate'])('has a skill for %s', (name) => {
  const text = skillTexts(join(root, 'packages', 'integrations', name)).get(`skills/${name}/SKILL.md`)
  expect(text).toMatch(/^description: "Use @x\/.* Use when .{20,}\."$/m)
})

it('has parts of fewer than 40,000 tokens for assistants', () => {
  // A token has at least 3.7 characters of these pages, by `o200k_base` and `cl100k_base`.
  const lengths = [...llmsParts(pages)].map(([name, text]) => [name, text.length / 3.7] as const)
  expect(lengths.filter(([, tokens]) => tokens > 40_000)).toEqual([])
})

it('says in parts for assistants how a storage folder of Python is read', () => {
  const names = [...llmsParts(pages)].flatMap(([name, text]) => (text.includes('StorageFolder.read(') ? [name] : []))
  expect(names).toEqual(['llms-documents.txt', 'llms-parts.txt'])
})
