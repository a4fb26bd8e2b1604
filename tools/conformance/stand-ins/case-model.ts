/** The model of agents and pipelines: answers from a script and records its requests. */
import {
  type CallOptions,
  ChatMessage,
  ChatResponse,
  CompletionResponse,
  type Dict,
  LLM,
  LLMMetadata,
} from '@x/core-model'
import {
  anything,
  argument,
  either,
  isObject,
  list,
  nullable,
  optional,
  Place,
  type Read,
  shape,
  string,
} from '../reader.ts'
import { messageRecord } from './messages.ts'

const response = either(
  'an answer of the model',
  nullable(string),
  shape({
    content: argument<string | null | undefined>(),
    tool_calls: anything,
    chunks: optional(list(string)),
    error: optional(string),
  }),
)

type Response = Read<typeof response>

export const caseModel = shape({
  responses: optional(list(response)),
  context_window: argument<number | undefined>(),
})

type CaseModelRecord = Read<typeof caseModel>

/** The metadata of the model, and the text before a prompt. */
export interface CaseModelOptions {
  isChatModel?: boolean
  prefix?: string | undefined
}

export class CaseModel extends LLM {
  readonly metadata: LLMMetadata
  readonly calls: Dict[] = []
  private readonly responses: Response[]

  constructor(
    { responses = [], context_window }: CaseModelRecord,
    { isChatModel = true, prefix }: CaseModelOptions = {},
  ) {
    super(prefix === undefined ? {} : { completionToPrompt: (text) => `${prefix}${text}` })
    this.responses = [...responses]
    this.metadata = new LLMMetadata({
      isChatModel,
      isFunctionCallingModel: true,
      ...(context_window !== undefined && { contextWindow: context_window }),
    })
  }

  protected override async chatRequest(messages: readonly ChatMessage[], options: CallOptions): Promise<ChatResponse> {
    this.record(messages, options)
    return new ChatResponse({ message: answerOf(this.next()) })
  }

  protected override async *streamChatRequest(messages: readonly ChatMessage[], options: CallOptions) {
    this.record(messages, options)
    const response = this.next()
    const { content, additionalKwargs } = answerOf(response)
    const { chunks, error } = partsOf(response)
    let text = ''
    for (const delta of chunks ?? [String(content ?? '')]) {
      text += delta
      const message = new ChatMessage({ role: 'assistant', content: text, additionalKwargs })
      yield new ChatResponse({ message, delta })
    }
    if (error !== undefined) throw new Error(error)
  }

  protected override async completeRequest(prompt: string): Promise<CompletionResponse> {
    this.calls.push({ prompt })
    const { content } = answerOf(this.next())
    return new CompletionResponse({ text: String(content ?? '') })
  }

  protected override async *streamCompleteRequest(prompt: string) {
    yield await this.completeRequest(prompt)
  }

  private next(): Response {
    const response = this.responses.shift()
    if (response === undefined) throw new Error('the model has no response left')
    return response
  }

  private record(messages: readonly ChatMessage[], { tools, toolChoice }: CallOptions): void {
    this.calls.push({
      messages: messages.map(messageRecord),
      ...(toolChoice !== undefined && { tool_choice: toolChoice }),
      ...(tools !== undefined && { tools: toolNames(tools) }),
    })
  }
}

const providerTool = shape({
  type: anything,
  function: shape({ name: string, description: anything, parameters: anything }),
})

/** The names of the tools that a model is offered. */
function toolNames(tools: unknown): string[] {
  return list(providerTool)(tools, new Place('tools of the request')).map((tool) => tool.function.name)
}

function partsOf(response: Response): { chunks?: string[]; error?: string } {
  return isObject(response) && response.chunks ? response : {}
}

/** The whole message of a response. @throws {Error} when the response is an error */
function answerOf(response: Response): ChatMessage {
  if (!isObject(response)) return new ChatMessage({ role: 'assistant', content: response })
  const { content, tool_calls, chunks, error } = response
  if (error !== undefined && !chunks) throw new Error(error)
  return new ChatMessage({
    role: 'assistant',
    content: chunks ? chunks.join('') : content,
    additionalKwargs: tool_calls ? { tool_calls } : {},
  })
}
