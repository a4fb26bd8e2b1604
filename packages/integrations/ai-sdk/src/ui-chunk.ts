/**
 * @module
 * What a UI message stream of the AI SDK consists of.
 * @see https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol
 */
import type { AgentEvent, TaskUsage } from '@x/agents'
import type { TurnState } from '@x/core-model'

/** The data of the assistant's message. */
export interface UIMetadata {
  /** The task of the run, which continues after an approval. */
  taskId: string
  /**
   * What the answer has used, if it is done or was stopped: calls of the model and of tools, tokens, and with the layer `cost` what it
   * costs.
   */
  usage?: TaskUsage | undefined
  /**
   * How the answer has ended: `done`, `waiting` for the user, `stopped` or `failed`. Missing while it is written for the first time; if its
   * process was killed, until a page is loaded behind the next message.
   */
  state?: Exclude<TurnState, 'open'> | undefined
}

/** A part of a stream of the AI SDK that belongs to a block of text or reasoning. */
export type TextBlockPart =
  | { type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end'; id: string }
  | { type: 'text-delta' | 'reasoning-delta'; id: string; delta: string }

/** A chunk of a UI message stream. */
export type UIChunk =
  | { type: 'start'; messageId?: string; messageMetadata: UIMetadata }
  | { type: 'start-step' | 'finish-step' }
  | TextBlockPart
  | { type: 'tool-input-start'; toolCallId: string; toolName: string; title?: string; dynamic?: true }
  | { type: 'tool-input-delta'; toolCallId: string; inputTextDelta: string }
  | {
      type: 'tool-input-available'
      toolCallId: string
      toolName: string
      title?: string
      input: unknown
      dynamic?: true
    }
  | {
      type: 'tool-input-error'
      toolCallId: string
      toolName: string
      title?: string
      input: unknown
      errorText: string
      dynamic?: true
    }
  | { type: 'tool-output-available'; toolCallId: string; output: unknown; preliminary?: boolean; dynamic?: true }
  | { type: 'tool-output-error'; toolCallId: string; errorText: string; dynamic?: true }
  /** The user has rejected the call: `output-denied`. Clients that do not know it, those before AI SDK 6, have no approvals. */
  | { type: 'tool-output-denied'; toolCallId: string }
  /** The text, the reasoning and the unfinished calls before it in its step are void: the stream of the model broke and was repeated. */
  | { type: 'data-turn-restarted'; data: { attempt: number } }
  /** All messages before the answered one, for a client that does not show them as they are. It is not part of a message. */
  | { type: 'data-chat-missed'; data: unknown; transient: true }
  /** The message that is answered, in front of the answer, for a client that reconnects: it may lack it. It is not part of a message. */
  | { type: 'data-chat-question'; data: unknown; transient: true }
  /** At the end of the stream: the messages behind the answer to an earlier one, and this answer if its calls were decided elsewhere. */
  | { type: 'data-chat-later'; data: unknown; transient: true }
  | {
      type: 'tool-approval-request'
      approvalId: string
      toolCallId: string
      /** The title of the tool, and the JSON Schema of its arguments: `approval.descriptor` of the part. */
      approvalDescriptor?: { title?: string; schema?: unknown }
    }
  /** A call waits again after an approval: what is different from what the user was shown. */
  | { type: 'data-approval-problem'; id: string; data: { toolCallId: string; problem: string } }
  | { type: 'source-url'; sourceId: string; url: string; title?: string }
  | { type: 'source-document'; sourceId: string; mediaType: string; title: string; filename?: string }
  /** The structured answer so far, incomplete and not checked. Each one replaces the one before. */
  | { type: 'data-partial-output'; id: string; data: unknown }
  | { type: 'finish'; messageMetadata?: UIMetadata }
  /** How an answer was interrupted, and what it has used until it was stopped. */
  | { type: 'message-metadata'; messageMetadata: UIMetadata }
  | { type: 'error'; errorText: string }
  /** The run was stopped: what came before it is kept. */
  | { type: 'abort' }

/** Returns the chunk for a source that a model cites. */
export function sourceChunk(source: Extract<AgentEvent, { type: 'source' }>['source']): UIChunk {
  const { id, url, title, media_type: mediaType = 'application/octet-stream', filename } = source
  const sourceId = id ?? url ?? filename ?? title ?? ''
  if (url !== undefined) return { type: 'source-url', sourceId, url, ...(title !== undefined && { title }) }
  const named = { title: title ?? filename ?? sourceId, ...(filename !== undefined && { filename }) }
  return { type: 'source-document', sourceId, mediaType, ...named }
}

/** Returns the reason why a call waits again. */
export function approvalProblem(toolCallId: string, problem: string) {
  return { type: 'data-approval-problem' as const, id: `problem-${toolCallId}`, data: { toolCallId, problem } }
}
