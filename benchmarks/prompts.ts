/**
 * Compares the speed of formatting 100,000 text prompts and 100,000 chat prompts (a system and a user message) of five variables with
 * the installed peers and with plain concatenation, interleaved in one run. dotprompt formats the prompts of Genkit.
 * Exits with 1 when a prompt is less than four times as fast as the fastest peer.
 *
 * @example npm run bench -- prompts
 */
import * as langChain from '@langchain/core/prompts'
import { PromptTemplate as LlamaPrompt } from '@llamaindex/core/prompts'
import { Dotprompt } from 'dotprompt'
import { ChatPromptTemplate, PromptTemplate } from '../packages/prompts/src/index.ts'
import { type FigureTable, writeFigures } from '../tools/figures.ts'
import { bar, interleaved, tableOf } from './contest.ts'

const COUNT = 100_000
const ROUNDS = 5
const BAR = 4
const OURS = '`@x/prompts`'
/** The packages of the peers, by the start of their names. */
const peers = { '@langchain': '@langchain/core', '@llamaindex': '@llamaindex/core', dotprompt: 'dotprompt' }

type Values = Record<'job' | 'user' | 'language' | 'context' | 'question', string>
type Fill = (values: Values) => unknown

const system = 'You are {job} and speak {language}. Answer from the context only, and say so when it does not help.'
const user = 'My name is {user}. Context:\n{context}\n\nQuestion: {question}\nAnswer: '
const context = 'The library opens at nine. It closes at six, on Saturdays at noon. '.repeat(4)

const inputs: Values[] = Array.from({ length: 1000 }, (_, i) => ({
  job: 'a librarian',
  user: `reader ${i}`,
  language: 'French',
  context: `${context}${i}`,
  question: 'When does it open?',
}))

const text: Record<string, Fill> = {}
const chat: Record<string, Fill> = {}

{
  const prompt = new PromptTemplate({ template: `${system}\n${user}` })
  text[OURS] = (values) => prompt.format(values)
  const messages = ChatPromptTemplate.fromMessages([
    ['system', system],
    ['user', user],
  ])
  chat[OURS] = (values) => messages.formatMessages(values)
}

{
  const prompt = langChain.PromptTemplate.fromTemplate(`${system}\n${user}`)
  text['@langchain/core'] = (values) => prompt.format(values)
  const messages = langChain.ChatPromptTemplate.fromMessages([
    ['system', system],
    ['human', user],
  ])
  chat['@langchain/core'] = (values) => messages.formatMessages(values)
}
{
  const prompt = new LlamaPrompt({ template: `${system}\n${user}` })
  text['@llamaindex/core'] = (values) => prompt.format(values)
}
{
  const compiler = new Dotprompt()
  const handlebars = (template: string) => template.replaceAll(/\{(\w+)\}/g, '{{{$1}}}')
  const prompt = await compiler.compile(handlebars(`${system}\n${user}`))
  text['dotprompt (Genkit)'] = (values) => prompt({ input: values })
  const messages = await compiler.compile(
    handlebars(`{role "system"}${system}{role "user"}${user}`).replaceAll(/\{role ("\w+")\}/g, '{{role $1}}'),
  )
  chat['dotprompt (Genkit)'] = (values) => messages({ input: values })
}

const concatenate = {
  system: ({ job, language }: Values) =>
    `You are ${job} and speak ${language}. Answer from the context only, and say so when it does not help.`,
  user: (values: Values) =>
    `My name is ${values.user}. Context:\n${values.context}\n\nQuestion: ${values.question}\nAnswer: `,
}
text['concatenation (floor)'] = (values) => `${concatenate.system(values)}\n${concatenate.user(values)}`
chat['concatenation (floor)'] = (values) => [
  { role: 'system', content: concatenate.system(values), additionalKwargs: {} },
  { role: 'user', content: concatenate.user(values), additionalKwargs: {} },
]

interface Part {
  text: string
}
interface Message {
  content: string | Part[]
}

/** Returns the strings in the result of a contestant. */
function textsOf(result: unknown): string[] {
  if (typeof result === 'string') return [result]
  const messages = Array.isArray(result) ? result : (result as { messages: Message[] }).messages
  return messages.map(({ content }: Message) => (typeof content === 'string' ? content : content[0]!.text))
}

/** Reads a character of each string, so that engines flatten concatenated strings. */
const read = (result: unknown): number =>
  textsOf(result).reduce((sum, text) => sum + text.charCodeAt(text.length >> 1), 0)

const tables: FigureTable[] = []
for (const [what, contestants] of Object.entries({ text, chat })) {
  const expected = textsOf(contestants['concatenation (floor)']!(inputs[7]!))
  const runs: Record<string, () => unknown> = {}
  for (const [name, fill] of Object.entries(contestants)) {
    const received = textsOf(await fill(inputs[7]!))
    if (received.join('|').trim() !== expected.join('|').trim())
      throw new Error(`${name} returns a different ${what}: ${received}`)
    const isAsync = fill(inputs[0]!) instanceof Promise
    runs[name] = async () => {
      let sum = 0
      if (isAsync) for (let i = 0; i < COUNT; i++) sum += read(await fill(inputs[i % 1000]!))
      else for (let i = 0; i < COUNT; i++) sum += read(fill(inputs[i % 1000]!))
      if (sum < COUNT) throw new Error(`${name} returns nothing`)
    }
  }
  const times = await interleaved(runs, ROUNDS)
  tables.push(
    tableOf(
      { title: `${what} prompts of five variables`, measure: 'thousands per second', digits: 0, better: 'more' },
      Array.from(times, ([name, time]) => [name, COUNT / time]),
      peers,
    ),
  )
  const theirs = [...times].filter(([name]) => Object.keys(peers).some((peer) => name.startsWith(peer)))
  const ratio = Math.min(...theirs.map(([, time]) => time)) / times.get(OURS)!
  bar(ratio >= BAR, `${ratio.toFixed(1)} times as fast as the fastest peer (bar ${BAR})`)
}
writeFigures('prompts', tables)
