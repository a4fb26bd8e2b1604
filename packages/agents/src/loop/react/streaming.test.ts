import { ChatMessage, ChatResponse } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ReActAgent } from '../../agent/react-agent.ts'
import { StreamingAgentChatResponse } from '../../answer/chat-answer.ts'
import { journal } from '../../journal.ts'
import { FunctionTool } from '../../tool/function-tool.ts'

const echo = FunctionTool.fromDefaults({
  name: 'echo',
  schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  fn: ({ text }) => text,
})

const word = fc.constantFrom(
  'alpha',
  'Answer',
  'Action',
  'Thought',
  ':',
  ' ',
  '\n',
  '{',
  '"',
  'é',
  '漢',
  'none',
  'Observation:',
)
const prose = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(''))

const opener = fc.constantFrom('Thought:', 'Action:', 'Answer:', 'Final Answer:')
const marker = fc.oneof(opener, fc.constantFrom('Action Input: {}', 'Observation:'))
const lineStart = fc.constantFrom('', ' ', '\n', '\r\n\t', '\u00a0', '\v', '\u2028 ', '\u3000\n')

/** A whole run: some tool calls, then an answer in one of the forms that models write, or markers in any order. */
const run = fc.record({
  calls: fc.array(fc.record({ text: fc.string(), invents: fc.boolean() }), { maxLength: 2 }),
  last: fc.oneof(
    prose.map((text) => `Thought: end\nAnswer: ${text}`),
    prose.map((text) => `Answer:${text}`),
    prose.map((text) => `Final Answer: ${text}`),
    prose.map((text) => `Thought: end. Answer: ${text}`),
    fc.constantFrom('Plain words.', 'No', 'Thoughtful words', '  spaced  '),
    fc
      .tuple(lineStart, opener, fc.array(fc.tuple(fc.constantFrom('', ' word'), lineStart, marker), { maxLength: 4 }))
      .map((parts) => parts.flat(2).join('')),
  ),
})

function cut(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = []
  for (let at = 0, i = 0; at < text.length; i++) {
    const size = sizes[i % sizes.length]!
    pieces.push(text.slice(at, at + size))
    at += size
  }
  return pieces.length > 0 ? pieces : ['']
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

describe('an answer that does not come from the model', () => {
  const say = (text: string) => `Thought: call\nAction: echo\nAction Input: ${JSON.stringify({ text })}`
  const direct = FunctionTool.fromDefaults({
    name: 'echo',
    schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    returnDirect: true,
    fn: ({ text }) => text,
  })

  it.each([
    ['a direct tool', { tools: [direct] }],
    ['a stop condition', { tools: [echo], stopWhen: () => true }],
    ['the limit', { tools: [echo], maxIterations: 1, onMaxIterations: 'answer' as const }],
  ])('is streamed: the answer of %s', async (_, options) => {
    const make = () => ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: [say('one'), say('two')] }), ...options })
    const { response } = await make().chat('x')
    const agent = make()
    const answer = await agent.streamChat('x')
    expect(await all(answer)).toEqual([response])
    await answer.done
    expect(answer).toMatchObject({ response, isDone: true })
    expect(agent.chatHistory.map(String)).toEqual(['user: x', `assistant: ${response}`])
    const events = await all(make().runEvents('x'))
    expect(events.filter(({ type }) => type === 'text_delta')).toMatchObject([{ delta: response }])
  })

  it('is streamed even if its step did not stream', async () => {
    const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Answer: one'] }) })
    const { taskId } = await agent.createTask('x')
    await agent.runStep(taskId)
    expect(await all(await agent.streamTask(taskId))).toEqual(['one'])
  })
})

describe('streamChat', () => {
  it('returns the same answer and conversation as chat for every split into pieces', async () => {
    await fc.assert(
      fc.asyncProperty(
        run,
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
        async ({ calls, last }, sizes) => {
          const texts = calls.map(
            ({ text, invents }) =>
              `Thought: call\nAction: echo\nAction Input: ${JSON.stringify({ text })}${invents ? '\nObservation: made up\nAnswer: no' : ''}`,
          )
          const whole = ReActAgent.fromTools({
            llm: new ScriptedLLM({ answers: [...texts, last] }),
            tools: [echo],
            onParseError: 'raise',
          })
          const streamed = ReActAgent.fromTools({
            llm: new ScriptedLLM({ answers: [...texts, last].map((text) => cut(text, sizes)) }),
            tools: [echo],
            onParseError: 'raise',
          })
          const expected = await whole.chat('question').then(
            ({ response, sources }) => ({ response: response.trim(), sources: sources.map(String) }),
            (error) => ({ error: error.code }),
          )
          const actual = await streamed.streamChat('question').then(
            async (answer) => {
              let text = ''
              for await (const piece of answer) text += piece
              await answer.done
              expect(answer.response).toBe(text.trim())
              return { response: text.trim(), sources: answer.sources.map(String) }
            },
            (error) => ({ error: error.code }),
          )
          expect(actual).toEqual(expected)
          const said = (agent: ReActAgent) =>
            agent.chatHistory.map(({ role, content }) => [role, String(content).trim()])
          expect(said(streamed)).toEqual(said(whole))
        },
      ),
      { numRuns: 300 },
    )
  })

  it('reads the pieces without a reader, yields everything to every reader, and writes the conversation before it is done', async () => {
    const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: [['Answer: ', 'one ', 'two']] }) })
    const answer = await agent.streamChat('x')
    await answer.done
    expect(agent.chatHistory.map(String)).toEqual(['user: x', 'assistant: one two'])
    const read = async () => {
      let text = ''
      for await (const piece of answer) text += piece
      return text
    }
    expect(await Promise.all([read(), read()])).toEqual(['one two', 'one two'])
    const reader = answer.toReadableStream().getReader()
    expect((await reader.read()).value).toBe('one ')
    await reader.cancel()
  })

  it('uses the message of a model without deltas', async () => {
    class WholeMessage extends ScriptedLLM {
      protected override async *streamChatRequest() {
        yield new ChatResponse({
          message: new ChatMessage({ role: 'assistant', content: 'Thought: easy\nAnswer: one' }),
        })
      }
    }
    const agent = ReActAgent.fromTools({ llm: new WholeMessage() })
    const answer = await agent.streamChat('x')
    await answer.done
    expect(answer.response).toBe('one')
  })

  it('lets a reader stop while it waits for a piece', async () => {
    async function* stream() {
      yield 'one'
      await new Promise(() => {})
    }
    const reader = new StreamingAgentChatResponse({ stream: stream() }).toReadableStream().getReader()
    await reader.read()
    await new Promise((resolve) => setTimeout(resolve))
    await reader.cancel()
  })

  it.each([
    ['waits for a piece', true],
    ['has not read', false],
  ])('stops the model when the last reader leaves, which %s', async (_, reads) => {
    async function* stream() {
      yield 'one'
      await new Promise(() => {})
    }
    let reason: unknown
    const answer = new StreamingAgentChatResponse({ stream: stream(), cancel: (given) => (reason = given) })
    const [first, second] = [answer[Symbol.asyncIterator](), answer[Symbol.asyncIterator]()]
    await first.next()
    const next = first.next()
    expect(await first.return(undefined)).toMatchObject({ done: true })
    expect(await next).toMatchObject({ done: true })
    expect(reason).toMatchObject({ name: 'AbortError' })
    reason = undefined
    if (reads) {
      await second.next()
      void second.next()
    }
    await second.return(undefined)
    expect(reason).toMatchObject({ name: 'AbortError' })
  })

  it('throws an error of the stream to every reader, and the step can run again', async () => {
    const agent = ReActAgent.fromTools({
      llm: new ScriptedLLM({ answers: [['Answer: one', new Error('cut')], 'Answer: two'] }),
    })
    const answer = await agent.streamChat('x')
    const read = async () => {
      for await (const _ of answer);
    }
    for (const failing of [read(), read(), answer.done]) await expect(failing).rejects.toThrow('cut')
    expect(agent.chatHistory).toEqual([])
    const [task] = agent.listTasks()
    expect(agent.getUpcomingSteps(task!.taskId)).toHaveLength(1)
    expect((await agent.runTask(task!.taskId)).response).toBe('two')
  })

  it('is complete when runTask continues the task without a stream', async () => {
    const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: [['Answer: ', 'one ', 'two']] }) })
    const { taskId } = await agent.createTask('x')
    await agent.streamStep(taskId)
    expect((await agent.runTask(taskId)).response).toBe('one two')
  })

  it('keeps the task busy until the stream is done', async () => {
    let goOn = (_: null) => {}
    const gate = new Promise<null>((resolve) => {
      goOn = resolve
    })
    const agent = ReActAgent.fromTools({
      llm: new ScriptedLLM({ answers: [['Answer: one', gate]] }),
      taskStore: journal(),
    })
    const answer = await agent.streamChat('x')
    const [task] = agent.listTasks()
    expect(() => agent.saveTask(task!.taskId)).toThrow(expect.objectContaining({ code: 'task_busy' }))
    goOn(null)
    await answer.done
    expect(agent.saveTask(task!.taskId).finalized).toBe(true)
  })
})

describe('text before a call', () => {
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
})
