/** A model for the tests of this package: its answers are texts, or calls of tools. */
import { type CallOptions, ChatMessage, ChatResponse, type EmbeddingModel, LLMMetadata } from '@x/core-model'
import { type ScriptedAnswer, ScriptedLLM } from '@x/llm/testing'

const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true, modelName: 'scripted' })

/** A call of a tool: its name and its arguments. */
export type Wanted = readonly [name: string, args: Record<string, unknown>]

let ids = 0

/** Returns a message that calls tools: names and arguments. */
export function calls(...wanted: readonly Wanted[]): ChatMessage {
  const tool_calls = wanted.map(([name, args]) => {
    ids++
    return { id: `call${ids}`, type: 'function', function: { name, arguments: JSON.stringify(args) } }
  })
  return new ChatMessage({ role: 'assistant', content: '', additionalKwargs: { tool_calls } })
}

export function model(...answers: readonly ScriptedAnswer[]): ScriptedLLM {
  return new ScriptedLLM({ metadata, answers })
}

/** The contents of the messages of a request. */
export function sent(llm: ScriptedLLM, request: number): string[] {
  return (llm.calls.at(request)?.messages ?? []).map(({ content }) => String(content))
}

/** An embedding model with a vector per text. */
export function tableEmbedding(vectors: Readonly<Record<string, number[]>>): EmbeddingModel {
  const one = async (text: string) => vectors[text]!
  return {
    getQueryEmbedding: one,
    getTextEmbedding: one,
    getTextEmbeddingBatch: (texts) => Promise.all(texts.map(one)),
  }
}

/** A model that reports the tokens of its replies: those of the request, of the reply, and the cached ones. */
export class CountingLLM extends ScriptedLLM {
  private readonly tokens: (readonly [number, number, number])[]

  constructor(
    modelName: string,
    answers: readonly (readonly [tokens: readonly [number, number, number], answer: ChatMessage])[],
  ) {
    super({
      metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true, modelName }),
      answers: answers.map(([, answer]) => answer),
    })
    this.tokens = answers.map(([tokens]) => tokens)
  }

  protected override async chatRequest(messages: readonly ChatMessage[], options: CallOptions): Promise<ChatResponse> {
    const { message } = await super.chatRequest(messages, options)
    const [input_tokens, output_tokens, cached_input_tokens] = this.tokens.shift()!
    return new ChatResponse({ message, raw: { usage: { input_tokens, output_tokens, cached_input_tokens } } })
  }
}
