/** A language model that only completes. */
import {
  CallbackManager,
  type CompleteOptions,
  CompletionResponse,
  CustomLLM,
  type Dict,
  LLMMetadata,
  type LLMOptions,
} from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import { type Operations, operation } from '../../case.ts'
import { apiKeys } from '../../names.ts'
import { list, object, optional, shape, string } from '../../reader.ts'
import { message, messageOf } from '../../stand-ins/messages.ts'
import { messagesFunction, messagesToPrompt } from '../../stand-ins/model.ts'

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

export const customModel: Operations = {
  'llm.config': operation(shape({ values: object }), ({ values }) => {
    const { class_name, ...fields } = new EchoLLM(apiKeys(values)).toDict()
    return fields
  }),

  'custom_llm.chat': operation(
    shape({ messages: list(message), messages_to_prompt: optional(messagesToPrompt), tail: optional(string) }),
    async ({ messages, messages_to_prompt: toPrompt, tail }) => {
      const llm = new EchoLLM({ messagesToPrompt: toPrompt && messagesFunction(toPrompt) }, tail)
      const { message } = await llm.chat(messages.map(messageOf))
      return { message: message.toDict(), requests: llm.requests }
    },
  ),

  'custom_llm.chat_events': operation(shape({ messages: list(message) }), async ({ messages }) => {
    const handler = new RecordingCallbackHandler()
    await new EchoLLM({ callbackManager: new CallbackManager([handler]) }).chat(messages.map(messageOf))
    return handler.summary()
  }),
}
