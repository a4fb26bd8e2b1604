/**
 * @module
 * Runs the calls of a step through its durable port, so that what they returned is saved before the step goes on.
 */
import { ChatMessage, type Dict, type FinishReason, type TokenUsage, type ToolOutput } from '@x/core-model'
import { lazy } from '@x/core-model/internal'
import type { ToolCall } from '../task/agent-event.ts'
import type { Json } from '../task/durable.ts'
import { passThrough } from '../task/durable.ts'
import { SavedClasses, StateReader, StateWriter } from '../task/state-codec.ts'
import { type Round, stepNumber } from './round.ts'

/** A complete reply of the model. */
export interface ModelReply {
  message: ChatMessage
  /** Null if the model reports none. */
  usage: TokenUsage | null
  /** Null if the model does not say. */
  finishReason: FinishReason | null
}

/** How a result is written as JSON and read back. */
export interface ResultCodec<T> {
  write(value: T): Json
  read(data: Json): T
}

/**
 * Calls `fn` once under a name of the step; a saved result is returned instead. A result that was not read from a journal is returned
 * as it is, with everything that JSON has no form for.
 */
export async function once<T>(round: Round, name: string, fn: () => Promise<T>, codec: ResultCodec<T>): Promise<T> {
  const { durable } = round.context
  if (!durable || durable === passThrough) return fn()
  let made: { value: T } | undefined
  const saved = await durable(`step-${stepNumber(round)}/${name}`, async () => {
    made = { value: await fn() }
    return codec.write(made.value)
  })
  return made ? made.value : codec.read(saved)
}

const classes = lazy(() => new SavedClasses())

/** A reply without the raw answer of the provider. */
export const replyCodec: ResultCodec<ModelReply> = {
  write: ({ message, usage, finishReason }) =>
    ({ message: message.toDict(), usage: usage && { ...usage }, finish_reason: finishReason }) as Json,
  read: (data) => {
    const {
      message,
      usage,
      finish_reason: finishReason,
    } = data as unknown as {
      message: Dict
      usage: TokenUsage | null
      finish_reason: FinishReason | null
    }
    return { message: ChatMessage.fromDict(message), usage, finishReason }
  },
}

/** The output of a tool. A raw output that cannot be saved is replaced by the text that the model saw. */
export const outputCodec: ResultCodec<ToolOutput> = {
  write: (output) => new StateWriter(classes()).output(output, `output of ${output.toolName}`) as Json,
  read: (data) => new StateReader(classes()).output(data as Dict),
}

/** Data that is JSON already. */
export function jsonCodec<T>(): ResultCodec<T> {
  return { write: (value) => value as Json, read: (data) => data as T }
}

/** A repaired call, or null. */
export const callCodec = jsonCodec<ToolCall | null>()
