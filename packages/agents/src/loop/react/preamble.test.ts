import { ScriptedLLM } from '@x/llm/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ReActAgent } from '../../agent/react-agent.ts'
import { FunctionTool } from '../../tool/function-tool.ts'

const CALL = 'Thought: I must pay.\nAction: pay\nAction Input: {"to": "Ann"}'
const ANSWER = 'Thought: done\nAnswer: Ann is paid.'

const preambles: [string, string][] = [
  ['a word', `Sure!\n${CALL}`],
  ['a sentence', `Sure, let me do that.\n\n${CALL}`],
  ['an announcement', `I'll pay Ann now.\n\n${CALL}`],
  ['a thinking block', `<think>I must pay. Answer: no</think>\n${CALL}`],
  ['a thinking block with markers', `<think>Thought: hm\nAnswer: Ann is rich.\n</think>\n\n${CALL}`],
  ['a code fence', `\`\`\`\n${CALL}\n\`\`\``],
  ['bold markers', CALL.replace('Thought:', '**Thought:**')],
]

async function run(first: string, sizes: readonly number[]) {
  let paid = 0
  const pay = FunctionTool.fromDefaults({
    name: 'pay',
    schema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
    fn: ({ to }) => `paid ${to} ${++paid}`,
  })
  const answers = [first, ANSWER].map((text) => cut(text, sizes))
  const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers }), tools: [pay] })
  const texts: string[] = []
  for await (const event of agent.runEvents('Pay Ann.')) if (event.type === 'text_delta') texts.push(event.delta)
  return { paid, text: texts.join('') }
}

function cut(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = []
  for (let at = 0, i = 0; at < text.length; at += sizes[i++ % sizes.length]!)
    pieces.push(text.slice(at, at + sizes[i % sizes.length]!))
  return pieces
}

describe('streamed ReAct text', () => {
  it.each(preambles)(
    'with %s before the call: the tool runs and only the answer is shown, for every split into pieces',
    async (_, first) => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }), async (sizes) => {
          expect(await run(first, sizes)).toEqual({ paid: 1, text: 'Ann is paid.' })
        }),
        { numRuns: 15 },
      )
    },
  )

  it('reports thinking blocks as reasoning, and the thought before the answer', async () => {
    const llm = new ScriptedLLM({ answers: [['<think>Hm', 'm</thi', 'nk>Thought: easy\nAns', 'wer: four']] })
    const events: string[] = []
    for await (const event of ReActAgent.fromTools({ llm }).runEvents('x')) {
      if (event.type === 'reasoning_delta' || event.type === 'text_delta') events.push(`${event.type} ${event.delta}`)
      if (event.type === 'reasoning') events.push(`reasoning ${event.text}`)
    }
    expect(events).toEqual(['reasoning_delta Hm', 'reasoning_delta m', 'reasoning easy', 'text_delta four'])
  })

  it('drops a thinking block that began in the prompt', async () => {
    const llm = new ScriptedLLM({ answers: [['I must', ' think.</think>Hel', 'lo <', ' there']] })
    const answer = await ReActAgent.fromTools({ llm }).streamChat('x')
    await answer.done
    expect(answer.response).toBe('Hello < there')
  })
})
