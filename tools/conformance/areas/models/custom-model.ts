/** A language model that only completes. */
import { CallbackManager, type CompleteOptions, CompletionResponse, type Dict, LLMMetadata } from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import { CustomLLM, type LLMOptions } from '@x/llm'
import type { Operations } from '../../case.ts'
import { apiKeys } from '../../given.ts'
import { type MessageRecord, messagesOf } from '../../stand-ins/messages.ts'
import { type BetweenMessages, promptFunctions } from '../../stand-ins/model.ts'

/** Answers `echo:` and the number of calls so far. */
class EchoLLM extends CustomLLM {
  readonly metadata = new LLMMetadata()
  readonly requests: Dict[] = []
  private readonly tail: string

  constructor(options: LLMOptions = {}, tail = '') {
    super(options)
    this.tail = tail
  }

  protected override async completeRequest(prompt: string, { formatted = false }: CompleteOptions) {
    this.requests.push({ prompt, formatted })
    return new CompletionResponse({ text: `echo:${this.requests.length}${this.tail}` })
  }

  protected override async *streamCompleteRequest(prompt: string, options: CompleteOptions) {
    yield await this.completeRequest(prompt, options)
  }
}

interface OfChat {
  messages: MessageRecord[]
  messagesToPrompt?: BetweenMessages
  tail?: string
}

export const customModel: Operations = {
  'llm.config': ({ values }: { values: object }) => {
    const { class_name, ...fields } = new EchoLLM(apiKeys(values)).toDict()
    return fields
  },

  'custom_llm.chat': async ({ messages, messagesToPrompt, tail }: OfChat) => {
    const llm = new EchoLLM(promptFunctions(null, messagesToPrompt), tail)
    const { message } = await llm.chat(messagesOf(messages))
    return { message: message.toDict(), requests: llm.requests }
  },

  'custom_llm.chat_events': async ({ messages }: OfChat) => {
    const handler = new RecordingCallbackHandler()
    await new EchoLLM({ callbackManager: new CallbackManager([handler]) }).chat(messagesOf(messages))
    return handler.summary()
  },
}
