import { expect, it } from 'vitest'
import { fromAddress } from '../../examples/playground/src/address.ts'
import { failingLinks, failingStates, failureIn } from './failing-states.ts'
import { filePages } from './pages.ts'
import { playgroundLinks } from './playground-links.ts'

const linkOf = async (code: string) => [...(await playgroundLinks([`\`\`\`ts\n${code}\n\`\`\``])).values()][0]

it('finds examples of every tab in the documentation', async () => {
  const links = [...(await playgroundLinks(filePages().map(({ text }) => text))).values()]
  const count = (tab: string) => links.filter(({ state }) => state.tab === tab).length
  expect(count('markdown')).toBeGreaterThan(3)
  expect(count('search')).toBeGreaterThan(6)
  expect(count('prompt')).toBeGreaterThan(2)
  expect(count('agent')).toBeGreaterThan(2)
  expect(count('python')).toBeGreaterThan(1)
  expect(count('evaluate')).toBeGreaterThan(3)
  for (const { address, state } of links) expect(await fromAddress(address)).toEqual(state)
})

it('takes a tool, an approval and a script from the run of an agent', async () => {
  const link = await linkOf(`import { FunctionTool, ReActAgent } from '@x/agents'
import { ScriptedLLM } from '@x/llm/testing'

const pay = FunctionTool.fromDefaults({
  name: 'pay',
  schema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
  needsApproval: true,
  fn: ({ to }) => \`paid \${to}\`,
})
const llm = new ScriptedLLM({ answers: ['Thought: pay\\nAction: pay\\nAction Input: {"to": "Ann"}', 'Answer: Ann is paid.'] })
const agent = ReActAgent.fromTools({ llm, tools: [pay] })
const { taskId, calls } = await agent.chat('Pay Ann.').catch((error) => error)
await agent.approve(taskId, calls[0].id)
String(await agent.runTask(taskId))`)
  expect(link?.text).toBe('Ann is paid.')
  expect(link?.state.agent).toMatchObject({
    question: 'Pay Ann.',
    script: [expect.stringContaining('Action: pay'), 'Answer: Ann is paid.'],
    tools: [{ name: 'pay', needsApproval: true, result: 'paid {to}' }],
  })
})

it.each([
  [
    'a tool whose result is more than a template of its arguments',
    `import { FunctionTool, ReActAgent } from '@x/agents'
import { ScriptedLLM } from '@x/llm/testing'
const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] } as const
const twice = FunctionTool.fromDefaults({ name: 'twice', schema, fn: ({ a }) => 2 * a })
const llm = new ScriptedLLM({ answers: ['Action: twice\\nAction Input: {"a": 2}', 'Answer: 4'] })
await ReActAgent.fromTools({ llm, tools: [twice] }).chat('2 * 2?')`,
  ],
  [
    'a parser with options that change the nodes',
    `import { Document } from '@x/core-model'
import { MarkdownElementNodeParser, tableRows } from '@x/node-parser'
const parser = new MarkdownElementNodeParser({ summarizer: 'headers', rowNodes: tableRows() })
await parser.getNodesFromDocuments([new Document({ text: '| a | b |\\n|---|---|\\n| 1 | 2 |' })])`,
  ],
  [
    'a template with a function',
    `import { PromptTemplate } from '@x/prompts'
new PromptTemplate({ template: '{now}', functionMappings: { now: () => 'noon' } }).format()`,
  ],
  [
    'a package that needs a server',
    `import { PromptTemplate } from '@x/prompts'
import { openDatabase } from '@x/postgres'
new PromptTemplate({ template: '{a}' }).format({ a: 'b' })`,
  ],
])('has no link for %s', async (_, code) => {
  expect(await linkOf(code)).toBeUndefined()
})

it.each(Object.keys(failingStates))('has a state of the playground that fails with %s', async (code) => {
  expect(await failureIn(failingStates[code]!)).toBe(code)
})

it('links the sample of a code to the state that fails with it', async () => {
  const links = await failingLinks()
  expect(links.size).toBe(Object.keys(failingStates).length)
  for (const { address, state } of links.values()) expect(await fromAddress(address)).toEqual(state)
})
