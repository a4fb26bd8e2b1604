/**
 * Compares the speed of formatting 100,000 text prompts and 100,000 chat prompts (a system and a user message) of five variables with
 * the installed peers and with plain concatenation, interleaved in one run. dotprompt formats the prompts of Genkit.
 * Exits with 1 when a prompt is less than four times as fast as the fastest peer.
 *
 * @example npm run bench -- prompts
 */

import { ChatPromptTemplate, PromptTemplate } from '../packages/prompts/src/index.ts'
import { type FigureTable, peerVersion, writeFigures } from '../tools/figures.ts'

const COUNT = 100_000
const ROUNDS = 5
const BAR = 4

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

/** Imports a module of a peer; undefined if it is not installed. */
// biome-ignore lint/suspicious/noExplicitAny: peers are loaded when they are there, without their types
async function peer(name: string): Promise<Record<string, any> | undefined> {
  try {
    return await import(name)
  } catch (error) {
    console.log(`  ${name} is not installed here: ${(error as Error).message.split('\n')[0]}`)
    return undefined
  }
}

const text: Record<string, Fill> = {}
const chat: Record<string, Fill> = {}

{
  const prompt = new PromptTemplate({ template: `${system}\n${user}` })
  text['@x/prompts'] = (values) => prompt.format(values)
  const messages = ChatPromptTemplate.fromMessages([
    ['system', system],
    ['user', user],
  ])
  chat['@x/prompts'] = (values) => messages.formatMessages(values)
}

const langChain = await peer('@langchain/core/prompts')
if (langChain) {
  const prompt = langChain['PromptTemplate'].fromTemplate(`${system}\n${user}`)
  text['@langchain/core'] = (values) => prompt.format(values)
  const messages = langChain['ChatPromptTemplate'].fromMessages([
    ['system', system],
    ['human', user],
  ])
  chat['@langchain/core'] = (values) => messages.formatMessages(values)
}

const llamaIndex = await peer('@llamaindex/core/prompts')
if (llamaIndex) {
  const prompt = new llamaIndex['PromptTemplate']({ template: `${system}\n${user}` })
  text['@llamaindex/core'] = (values) => prompt.format(values)
}

const dotprompt = await peer('dotprompt')
if (dotprompt) {
  const compiler = new dotprompt['Dotprompt']()
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
function read(result: unknown): number {
  if (typeof result === 'string') return result.charCodeAt(result.length >> 1)
  let sum = 0
  for (const { content } of Array.isArray(result) ? result : (result as { messages: Message[] }).messages)
    sum += read(typeof content === 'string' ? content : content[0]!.text)
  return sum
}

let missed = 0
const tables: FigureTable[] = []
for (const [what, contestants] of Object.entries({ text, chat })) {
  const expected = textsOf(contestants['concatenation (floor)']!(inputs[7]!))
  for (const [name, fill] of Object.entries(contestants)) {
    const received = textsOf(await fill(inputs[7]!))
    if (received.join('|').trim() !== expected.join('|').trim())
      throw new Error(`${name} returns a different ${what}: ${received}`)
  }
  const times = new Map<string, number[]>(Object.keys(contestants).map((name) => [name, []]))
  for (let round = -1; round < ROUNDS; round++) {
    for (const [name, fill] of Object.entries(contestants)) {
      let sum = 0
      const isAsync = fill(inputs[0]!) instanceof Promise
      const start = performance.now()
      if (isAsync) for (let i = 0; i < COUNT; i++) sum += read(await fill(inputs[i % 1000]!))
      else for (let i = 0; i < COUNT; i++) sum += read(fill(inputs[i % 1000]!))
      if (round >= 0) times.get(name)!.push(performance.now() - start)
      if (sum < COUNT) throw new Error(`${name} returns nothing`)
    }
  }
  const medians = [...times].map(([name, list]) => [name, list.sort((a, b) => a - b)[list.length >> 1]!] as const)
  const ours = medians[0]![1]
  console.log(`${COUNT.toLocaleString('en')} ${what} prompts of 5 variables, median of ${ROUNDS} interleaved runs`)
  for (const [name, time] of medians) {
    const perSecond = `${Math.round(COUNT / time).toLocaleString('en')}k/s`
    const ratio = name === '@x/prompts' ? '' : `@x/prompts is ${(time / ours).toFixed(2)} times as fast`
    console.log(`  ${name.padEnd(24)}${time.toFixed(1).padStart(8)} ms ${perSecond.padStart(10)}  ${ratio}`)
  }
  tables.push({
    title: `${what} prompts of five variables`,
    measure: 'thousands per second',
    unit: '',
    digits: 0,
    better: 'more',
    rows: medians.map(([name, time]) => {
      const [peer = ''] = name.split(' ')
      const whose =
        name === '@x/prompts' ? { ours: true } : name.includes('floor') ? {} : { version: peerVersion(peer) }
      return { name: name === '@x/prompts' ? '`@x/prompts`' : name, value: COUNT / time, ...whose }
    }),
  })
  const peers = medians.filter(([name]) => !name.startsWith('@x/') && !name.includes('floor')).map(([, time]) => time)
  if (peers.length === 0) continue
  const ratio = Math.min(...peers) / ours
  if (ratio < BAR) missed += 1
  console.log(`  ${ratio < BAR ? 'MISS' : 'ok'}: ${ratio.toFixed(1)} times the fastest peer (bar ${BAR})`)
}
writeFigures('prompts', tables)
process.exitCode = missed === 0 ? 0 : 1
