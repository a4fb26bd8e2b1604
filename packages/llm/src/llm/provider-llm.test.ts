import { AnswerBuilder, type CallOptions, ChatMessage, LLMMetadata } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { type AnswerReader, ProviderLLM } from './provider-llm.ts'

type Piece = string | Error
const question = [new ChatMessage({ content: 'Q' })]

/** A provider whose answers are these words; `stop` ends an answer. */
class Words extends ProviderLLM<Piece> {
  readonly metadata = new LLMMetadata({ modelName: 'words', isChatModel: true })
  left = 0
  readonly words: Piece[]
  readonly isComplete: boolean
  constructor(words: Piece[], isComplete = false) {
    super()
    this.words = words
    this.isComplete = isComplete
  }

  protected override async *pieces() {
    try {
      for (const word of this.words) {
        if (word instanceof Error) throw word
        yield word
      }
    } finally {
      this.left++
    }
  }

  protected override newReader(): AnswerReader<Piece> {
    const answer = new AnswerBuilder()
    return {
      answer,
      raw: { from: 'words' },
      isComplete: this.isComplete,
      addPiece: (word) => (word === 'stop' ? answer.finish('stop') : answer.addText(String(word))),
    }
  }

  protected override errorOf(error: unknown, { temperature }: CallOptions): unknown {
    return new Error(`at ${temperature}`, { cause: error })
  }
}

async function streamed(llm: Words, options: CallOptions = {}): Promise<(string | null)[]> {
  const deltas: (string | null)[] = []
  for await (const { delta } of llm.streamChat(question, options)) deltas.push(delta)
  return deltas
}

describe('ProviderLLM', () => {
  it('answers whole and in pieces, with the data of the provider', async () => {
    const response = await new Words(['a', 'b', 'stop']).chat(question)
    expect([String(response), response.raw]).toEqual(['ab', { from: 'words' }])
    expect(await streamed(new Words(['a', '', 'b', 'stop']))).toEqual(['a', 'b', ''])
  })

  it('throws the error that the adapter makes', async () => {
    const broken = new Error('broken')
    const options = { temperature: 1 }
    const expected = { message: 'at 1', cause: broken }
    await expect(new Words([broken]).chat(question, options)).rejects.toMatchObject(expected)
    await expect(streamed(new Words(['a', broken]), options)).rejects.toMatchObject(expected)
  })

  it('throws the reason of an abort', async () => {
    const signal = AbortSignal.abort('enough')
    await expect(new Words([new Error('aborted')]).chat(question, { signal })).rejects.toBe('enough')
    const controller = new AbortController()
    const read = async () => {
      for await (const _ of new Words(['a', 'b']).streamChat(question, { signal: controller.signal }))
        controller.abort('enough')
    }
    await expect(read()).rejects.toBe('enough')
  })

  it('refuses a stream that ends before the model was done, unless the adapter says that it is complete', async () => {
    await expect(streamed(new Words(['a']))).rejects.toMatchObject({ code: 'model_call', kind: 'connection' })
    expect(await streamed(new Words(['a'], true))).toEqual(['a'])
  })

  it('ends the request when the reader leaves', async () => {
    const llm = new Words(['a', 'b', 'stop'])
    for await (const _ of llm.streamChat(question)) break
    expect(llm.left).toBe(1)
  })
})
