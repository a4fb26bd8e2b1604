/**
 * @module
 * From the answers of the AI SDK, whole or in parts, to responses.
 */
import { ChatMessage, ChatResponse, finishReasonFrom, type ToolCallDelta, usageOf, usageRecord } from '@x/core-model'
import type { AiSdkPart, AiSdkResult } from './model-types.ts'

interface Call {
  id: string
  name: string
  arguments: string
  metadata: object | undefined
}

/** The response for a whole answer. */
export function responseOf({ content, finishReason, usage }: AiSdkResult): ChatResponse {
  const answer = new Answer()
  for (const part of content) answer.add(part)
  answer.add({ type: 'finish', finishReason, usage })
  return answer.response(null)
}

/** What one part of a stream added. */
interface Added {
  text?: string
  reasoning?: string
  call?: ToolCallDelta
}

/** Collects the parts of an answer. */
export class Answer {
  private text: string | null = null
  /** Blocks of reasoning by id; metadata such as a signature belongs to a block. */
  private readonly reasoning = new Map<string, { text: string; metadata: object | undefined }>()
  private readonly calls = new Map<string, Call>()
  private finishReason: string | null = null
  private usage: Record<string, number> | null = null

  /** Whether the answer is complete. */
  get isFinished(): boolean {
    return this.finishReason !== null
  }

  /** Adds a part; returns what it added, or null for parts that the response does not show. */
  add(part: AiSdkPart): Added | null {
    switch (part.type) {
      case 'text':
      case 'text-delta':
        return this.addText(part.text ?? part.delta ?? '')
      case 'reasoning':
        return this.addReasoning(`whole ${this.reasoning.size}`, part.text ?? '', part.providerMetadata)
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        return this.addReasoning(part.id ?? '', part.delta ?? '', part.providerMetadata)
      case 'tool-input-start':
      case 'tool-input-delta':
        return part.providerExecuted ? null : this.addInput(part)
      case 'tool-call':
        return part.providerExecuted ? null : this.addCall(part)
      case 'finish':
        return this.finish(part)
      default:
        return null
    }
  }

  /** The response so far. */
  response(added: Added | null): ChatResponse {
    const calls = [...this.calls.values()]
    const reasoning = [...this.reasoning.values()].filter(({ text, metadata }) => text !== '' || metadata)
    return new ChatResponse({
      message: new ChatMessage({
        role: 'assistant',
        content: this.text ?? (calls.length > 0 ? null : ''),
        additionalKwargs: {
          ...(calls.length > 0 && { tool_calls: calls.map(callRecord) }),
          ...(reasoning.length > 0 && { reasoning: reasoning.map(reasoningRecord) }),
        },
      }),
      delta: added && (added.text ?? ''),
      additionalKwargs: {
        ...(this.finishReason !== null && { finish_reason: finishReasonFrom(this.finishReason) }),
        ...(this.usage && { usage: this.usage }),
        ...(added?.reasoning && { reasoning_delta: added.reasoning }),
        ...(added?.call && { tool_call_deltas: [added.call] }),
      },
    })
  }

  private addText(text: string): Added {
    this.text = (this.text ?? '') + text
    return { text }
  }

  private addReasoning(id: string, text: string, metadata: object | undefined): Added | null {
    const block = this.reasoning.get(id) ?? { text: '', metadata: undefined }
    this.reasoning.set(id, { text: block.text + text, metadata: metadata ?? block.metadata })
    return text === '' ? null : { reasoning: text }
  }

  private addInput({ id = '', toolName, delta = '' }: AiSdkPart): Added {
    const isNew = !this.calls.has(id)
    const call = this.calls.get(id) ?? { id, name: toolName ?? '', arguments: '', metadata: undefined }
    call.arguments += delta
    this.calls.set(id, call)
    return { call: this.deltaOf(call, isNew, delta) }
  }

  /** A whole call; its input replaces the pieces that came before. */
  private addCall({ toolCallId: id = '', toolName = '', input, providerMetadata: metadata }: AiSdkPart): Added | null {
    const known = this.calls.get(id)
    const text = typeof input === 'string' ? input : JSON.stringify(input ?? {})
    const call = { id, name: toolName, arguments: text, metadata: metadata ?? known?.metadata }
    this.calls.set(id, call)
    return known ? null : { call: this.deltaOf(call, true, text) }
  }

  private deltaOf({ id, name }: Call, isNew: boolean, text: string): ToolCallDelta {
    const index = [...this.calls.keys()].indexOf(id)
    return { index, id: isNew ? id : null, name: isNew ? name : null, arguments: text }
  }

  private finish({ finishReason, usage }: AiSdkPart): Added {
    const word =
      typeof finishReason === 'string' ? finishReason : (finishReason as { unified?: string } | null)?.unified
    this.finishReason = word ?? 'other'
    const read = usageOf({ raw: { usage }, additionalKwargs: {} })
    if (read) this.usage = { ...usageRecord(read) }
    return {}
  }
}

function callRecord({ id, name, arguments: text, metadata }: Call): object {
  return {
    id,
    type: 'function',
    function: { name, arguments: text },
    ...(metadata && { provider_metadata: metadata }),
  }
}

function reasoningRecord({ text, metadata }: { text: string; metadata: object | undefined }): object {
  return { type: 'reasoning', text, ...(metadata && { provider_metadata: metadata }) }
}
