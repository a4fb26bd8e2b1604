/**
 * @module
 * From the answer of a chat request, whole or in pieces, to a response.
 */
import { ChatMessage, ChatResponse, finishReasonFrom, type ToolCallDelta, usageOf, usageRecord } from '@x/core-model'
import type { Json, ModelServer } from './model-server.ts'

/** A whole answer. @throws {ModelCallError} when it contains no message. */
export function readAnswer(data: Json, server: ModelServer): ChatResponse {
  const choice = firstChoice(data)
  const message = choice && object(choice['message'])
  if (!message) throw server.error('the answer contains no message', 'bad_response')
  const turn = new Turn()
  turn.add(message, choice['finish_reason'], data)
  return turn.response(data, null)
}

/** Collects the pieces of a streamed answer. */
export class Turn {
  private text: string | null = null
  private refusal = ''
  private reasoning = ''
  private readonly calls: StreamedCall[] = []
  /** Where the call with an index of the server is in `calls`. */
  private readonly places = new Map<number, number>()
  private finishReason: string | null = null
  private usage: Json | null = null
  /** Whether the server said that the model is done. */
  get isFinished(): boolean {
    return this.finishReason !== null
  }

  /** The response so far and what is new in a chunk of the stream; null when there is nothing new in it. */
  push(chunk: Json): ChatResponse | null {
    const choice = firstChoice(chunk)
    const delta = (choice && (object(choice['delta']) ?? object(choice['message']))) ?? {}
    const added = this.add(delta, choice?.['finish_reason'], chunk)
    return added.isNew ? this.response(chunk, added) : null
  }

  /** Adds what a message or a delta contains. */
  add(message: Json, finishReason: unknown, data: Json): Added {
    const text = string(message['content'])
    const refusal = string(message['refusal'])
    const reasoning = string(message['reasoning_content']) || string(message['reasoning'])
    const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'].map((call) => this.addCall(call)) : []
    if (typeof message['content'] === 'string') this.text = (this.text ?? '') + text
    this.refusal += refusal
    this.reasoning += reasoning
    const usage = usageOf({ raw: data, additionalKwargs: {} })
    if (usage) this.usage = { ...usageRecord(usage) }
    if (typeof finishReason === 'string' && finishReason !== '') this.finishReason = finishReason
    const isNew =
      text !== '' || refusal !== '' || reasoning !== '' || calls.length > 0 || usage !== null || finishReason != null
    return { text: text + refusal, reasoning, calls, isNew }
  }

  /** The response so far. */
  response(raw: Json, added: Added | null): ChatResponse {
    // A refusal is no answer: it comes in a field of its own, and the server calls it a normal end.
    const reason = this.refusal ? 'content_filter' : this.finishReason && finishReasonFrom(this.finishReason)
    return new ChatResponse({
      message: new ChatMessage({
        role: 'assistant',
        content: this.refusal ? (this.text ?? '') + this.refusal : (this.text ?? (this.calls.length > 0 ? null : '')),
        additionalKwargs: {
          ...(this.calls.length > 0 && { tool_calls: this.calls.map(callBody) }),
          ...(this.reasoning !== '' && { reasoning: [{ type: 'reasoning', text: this.reasoning }] }),
        },
      }),
      raw,
      delta: added?.text ?? null,
      additionalKwargs: {
        ...(reason && { finish_reason: reason }),
        ...(this.usage && { usage: this.usage }),
        ...(added?.reasoning && { reasoning_delta: added.reasoning }),
        ...(added && added.calls.length > 0 && { tool_call_deltas: added.calls }),
      },
    })
  }

  /**
   * Adds a tool call or a piece of one. Servers number pieces by `index`, by `id`, by neither, or give all calls the index 0:
   * another id starts another call, and without an index a name does.
   */
  private addCall(given: unknown): ToolCallDelta {
    const call = object(given) ?? {}
    const inner = object(call['function']) ?? {}
    const id = string(call['id'])
    const name = string(inner['name'])
    const number = typeof call['index'] === 'number' ? call['index'] : null
    const text =
      typeof inner['arguments'] === 'object' ? JSON.stringify(inner['arguments'] ?? '') : string(inner['arguments'])
    let index = number === null ? this.calls.length - 1 : (this.places.get(number) ?? -1)
    let known = this.calls[index]
    const isOther = known !== undefined && id !== '' && id !== known.id && known.id !== ''
    if (!known || isOther || (number === null && name !== '' && (id === '' || id !== known.id))) {
      known = { id: '', name: '', arguments: '' }
      index = this.calls.push(known) - 1
      if (number !== null) this.places.set(number, index)
    }
    known.id ||= id
    known.name ||= name
    known.arguments += text
    return { index, id: id || null, name: name || null, arguments: text }
  }
}

interface StreamedCall {
  id: string
  name: string
  arguments: string
}

/** What one piece added. */
export interface Added {
  text: string
  reasoning: string
  calls: ToolCallDelta[]
  isNew: boolean
}

function callBody(call: StreamedCall): Json {
  return { id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } }
}

function firstChoice(data: Json): Json | null {
  return Array.isArray(data['choices']) ? object(data['choices'][0]) : null
}

function object(value: unknown): Json | null {
  return typeof value === 'object' && value !== null ? (value as Json) : null
}

function string(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
