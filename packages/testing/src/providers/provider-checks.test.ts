import { AnswerBuilder, type BaseLLM, type ChatMessage, LLMMetadata } from '@x/core-model'
import { ChatLLM, ModelCallError } from '@x/llm'
import { describe, expect, it } from 'vitest'
import { type CheckedServer, providerChecks, providerScore } from './provider-checks.ts'

/** An adapter that answers every question in the same way. */
class Same extends ChatLLM {
  readonly metadata = new LLMMetadata({ modelName: 'same', isChatModel: true })
  readonly fill: (answer: AnswerBuilder) => void
  constructor(fill: (answer: AnswerBuilder) => void) {
    super()
    this.fill = fill
  }
  protected override async chatRequest(_messages: readonly ChatMessage[]) {
    const answer = new AnswerBuilder()
    this.fill(answer)
    return answer.response()
  }
  protected override async *streamChatRequest(messages: readonly ChatMessage[]) {
    yield await this.chatRequest(messages)
  }
}

const failing = (error: unknown): BaseLLM =>
  new Same(() => {
    throw error
  })
const check = (name: string, create: (server: CheckedServer) => BaseLLM, impossible?: string) =>
  providerChecks(create, impossible === undefined ? {} : { impossible: { [name]: impossible } })
    .find((one) => one.name === name)!
    .run()

describe('providerChecks', () => {
  it('has servers with different names, each with a report', () => {
    const checks = providerChecks(() => failing('none'))
    expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length)
    expect(checks.length).toBeGreaterThanOrEqual(62)
    expect(checks.every(({ report }) => report !== '')).toBe(true)
  })

  const text = 'streams text as documented'
  const call = 'sends a call as documented'
  const key = 'repeats the key'
  const auth = (message: string, more: object = {}) => new ModelCallError(message, { kind: 'auth', ...more })
  it.each<[string, string, BaseLLM, RegExp]>([
    [
      'a text that is not that of the server',
      text,
      new Same((answer) => answer.addText('Ho')),
      /text: expected "Hi", received "Ho"/,
    ],
    ['another finish reason', text, new Same((answer) => answer.addText('Hi')), /finish: expected "stop"/],
    ['a lost call', call, new Same((answer) => answer.finish('stop')), /calls: expected .*pay.*, received \[\]/],
    [
      'an error instead of an answer',
      text,
      failing(new TypeError('bug')),
      /expected an answer, received the error "bug"/,
    ],
    ['an answer instead of an error', 'ends the connection behind text', new Same(() => {}), /expected an error/],
    ['an error of another class', key, failing(new TypeError('bug')), /expected a ModelCallError/],
    ['another kind', key, failing(new ModelCallError('x', { kind: 'timeout' })), /of kind auth, received timeout/],
    [
      'an error without the text of the server',
      'reports errors as a detail',
      failing(new ModelCallError('x', { kind: 'bad_request' })),
      /field required/,
    ],
    ['an error that may be repeated', key, failing(auth('x', { retryable: true })), /retryable: false/],
    ['the key in the message', key, failing(auth('K-SECRET-0123456789')), /without the key/],
    [
      'the key in the headers of the cause',
      key,
      failing(auth('x', { cause: { headers: { a: ['K-SECRET-0123456789'] } } })),
      /without the key/,
    ],
  ])('finds %s', async (_, name, llm, problem) => {
    await expect(check(name, () => llm)).rejects.toThrow(problem)
  })

  it('accepts a right answer', async () => {
    const right = new Same((answer) => {
      answer.addText('Hi')
      answer.finish('stop')
    })
    await expect(check(text, () => right)).resolves.toBeUndefined()
  })

  it('accepts what is impossible as long as it is', async () => {
    const wrong = new Same(() => {})
    await expect(check('sends two choices', () => wrong, 'no index')).resolves.toBeUndefined()
    const right = new Same((answer) => answer.addText('Aa'))
    await expect(check('sends two choices', () => right, 'no index')).rejects.toThrow(/remove it from impossible/)
    expect(() => providerChecks(() => wrong, { impossible: { nothing: 'x' } })).toThrow(RangeError)
  })

  it('gives each adapter the server, which answers it', async () => {
    let body = ''
    class Asking extends Same {
      protected override async *streamChatRequest() {
        const response = await fetch(`${this.server.baseUrl}/chat/completions`, {
          method: 'POST',
          body: '{"stream":true}',
        })
        body = await response.text()
        yield await this.chatRequest([])
      }
      readonly server: CheckedServer
      constructor(server: CheckedServer) {
        super((answer) => {
          answer.addText('Hi')
          answer.addReasoning('think')
        })
        this.server = server
      }
    }
    await check('sends null for what a chunk does not contain', (server) => new Asking(server))
    expect(body).toMatch(/^data: \{.*"think".*data: \[DONE\]\n\n$/s)
  })
})

it('providerScore counts what is right and what is impossible', async () => {
  const run = async () => {}
  const base = { report: 'r', impossible: null }
  const bad = async () => {
    throw new Error('b: wrong.')
  }
  const checks = [
    { ...base, name: 'a', run },
    { ...base, name: 'b', run: bad },
    { ...base, name: 'c', impossible: 'The client hides it.', run },
  ]
  const problems = ['b: wrong.', 'c: The client hides it.']
  expect(await providerScore(checks)).toEqual({ right: 1, impossible: 1, total: 3, problems })
})
