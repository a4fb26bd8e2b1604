/**
 * @module
 * Keeps requests within the context window of the model.
 */

import { callback, type OptionTable, wholeNumber } from '@x/core/options'
import { readRecord } from '@x/core/reading'
import { compactJson } from '@x/core/values'
import {
  type BaseLLM,
  ChatMessage,
  chatTokens,
  estimateTokens,
  type Tokenizer,
  type TokenUsage,
  type ToolDefinition,
} from '@x/core-model'
import { isSystemMessage } from '@x/core-model/components'
import { messageTokens, turnStart } from '@x/core-model/memory'
import type { Durable, Json } from '../task/durable.ts'
import type { Task } from '../task/task.ts'
import { readTokens } from '../task-usage.ts'
import { clipParts, clipText } from './clip-text.ts'
import { readSaved } from './handled-errors.ts'
import { type Summarize, summarizeWith } from './summarize.ts'

/** How requests are kept within the context window of the model. */
export interface ContextWindowOptions<Context = unknown> {
  /**
   * The most tokens of a request: messages and tools. Null for no limit.
   * @defaultValue the context window of the model without `reservedTokens`; no limit if the window is unknown
   */
  maxTokens?: number | null | undefined
  /** Tokens that are kept free for the answer. @defaultValue the longest answer of the model, at most half of the window */
  reservedTokens?: number | undefined
  /** The newest turns of the running task that are never left out, an integer of at least 1. @defaultValue 3 */
  keepTurns?: number | undefined
  /**
   * Whether, or how, messages that are left out are summarized, in each task for itself: once a conversation is longer than the window,
   * each message asks for a summary. @defaultValue false: they are left out
   */
  summarize?: boolean | Summarize<Context> | undefined
  /** Receives the error of a summary that failed. The messages are then left out without it. */
  onSummaryError?: ((error: unknown) => void) | undefined
  /** Counts tokens. @defaultValue {@link estimateTokens} */
  tokenizer?: Tokenizer | undefined
}

/** The checks of {@link ContextWindowOptions}. */
export const CONTEXT_WINDOW_OPTIONS: OptionTable<ContextWindowOptions> = {
  maxTokens: wholeNumber(1, 'or null'),
  reservedTokens: wholeNumber(0),
  keepTurns: wholeNumber(1),
  summarize: (value) =>
    typeof value === 'boolean' || typeof value === 'function' ? undefined : 'a boolean or a function',
  onSummaryError: callback,
  tokenizer: callback,
}

/** The messages that the requests of a task leave out. Saved with the task. */
export interface LeftOutMessages {
  /** The number of messages of the conversation, from the oldest. */
  messages: number
  /** The number of turns of the running task, from the oldest. */
  turns: number
  summary: string | null
  /** The lower limit since the provider refused a request as too long; null if it refused none. */
  maxTokens: number | null
}

/** A request before it is sent. */
export interface ContextRequest {
  /** The model that receives the request. */
  llm: BaseLLM
  /** The system messages, the conversation and the running task. */
  messages: readonly ChatMessage[]
  /** The first message of the running task, one of `messages`. */
  first: ChatMessage | undefined
  /** The tools in the options of the call. */
  tools?: readonly ToolDefinition[] | undefined
  /** The messages that the last request left out. */
  leftOut?: LeftOutMessages | undefined
  /** The most tokens, after the provider has refused the request as too long; 0 for only what must stay. */
  maxTokens?: number | undefined
  task: Task
  /** The option `context` of the run. */
  context?: unknown
  durable: Durable
  /** The name of this call of `durable`. */
  name: string
  signal?: AbortSignal | undefined
  parentId?: string | undefined
}

/** A request that fits. */
export interface FittedRequest {
  messages: ChatMessage[]
  leftOut: LeftOutMessages | undefined
  /** The usage of a summary; undefined without a summary. */
  summaryUsage?: TokenUsage | null | undefined
}

/** The part of the limit that remains after a cut, so that the next turns need no other cut. */
const REMAINING = 0.75
/** The size of a request relative to the one that the provider has refused, if it did not state the tokens. */
export const SMALLER = 0.6
/** The part of the limit that a summary may have. */
const SUMMARY_PART = 0.2
/** The fewest tokens to which the output of a tool is shortened. */
const MIN_TOKENS = 50

const NOTE = '[Earlier steps of this task were left out.]'

/** The parts of a request. */
interface Parts {
  header: ChatMessage[]
  history: ChatMessage[]
  /** The input of the task. */
  input: ChatMessage[]
  /** Messages of the model, each with those that follow it, so that no tool call loses its result. */
  turns: ChatMessage[][]
}

/**
 * Keeps the requests of tasks within the context window of the model.
 *
 * A request that is too long loses the oldest messages of the conversation, then the oldest turns of the running task, which are left out
 * or summarized. If that is not enough, the outputs of tools in the remaining turns are shortened. System messages, the input of the task
 * and the newest turns always stay.
 */
export class ContextWindow {
  private readonly options: ContextWindowOptions
  private readonly tokenizer: Tokenizer
  private readonly summarize: Summarize | undefined
  private readonly onSummaryError: ContextWindowOptions['onSummaryError']

  constructor(options: ContextWindowOptions = {}) {
    const { summarize, onSummaryError } = options
    this.onSummaryError = onSummaryError
    this.options = options
    this.tokenizer = options.tokenizer ?? estimateTokens
    this.summarize = summarize === true ? summarizeWith() : summarize || undefined
  }

  /** Returns a request that fits, and what it leaves out. */
  async fit(request: ContextRequest): Promise<FittedRequest> {
    const limit = lowest(this.limitOf(request.llm), request.leftOut?.maxTokens ?? null)
    if (limit === null && request.maxTokens === undefined && !request.leftOut)
      return { messages: [...request.messages], leftOut: undefined }
    if (limit !== null && this.surelyFits(request, limit))
      return { messages: [...request.messages], leftOut: undefined }
    const parts = split(request.messages, request.first)
    const before = leftOutOf(parts, request.leftOut)
    const messages = joined(parts, before)
    const tools = this.count([], request.tools)
    const tokens = tools + this.count(messages)
    const isRefused = request.maxTokens !== undefined
    const isTooLong = isRefused || (limit !== null && tokens > limit)
    if (!isTooLong) return { messages, leftOut: request.leftOut && before }

    const most = request.maxTokens ?? limit!
    // More may stay in later steps than what must.
    const later = most || Math.floor((limit ?? tokens) * SMALLER)
    const keepTurns = isRefused ? 1 : (this.options.keepTurns ?? 3)
    const isSummarized = this.summarize !== undefined
    const aim = most * (REMAINING - (isSummarized ? SUMMARY_PART : 0)) - tools
    const after = this.leaveOut(parts, before, aim, keepTurns)
    if (isRefused) after.maxTokens = later
    const summaryUsage = await this.summarized(request, parts, before, after, Math.floor(later * SUMMARY_PART))
    return { messages: this.shortened(parts, after, most - tools), leftOut: after, summaryUsage }
  }

  /** The estimate of a string is at most twice its length, so most requests need not be counted. */
  private surelyFits({ messages, tools = [], leftOut, maxTokens }: ContextRequest, limit: number): boolean {
    if (leftOut || maxTokens !== undefined || this.tokenizer !== estimateTokens) return false
    let most = tools.reduce((sum, tool) => sum + 2 * lengthOf(tool), 0)
    for (const message of messages) {
      const { content, additionalKwargs } = message
      const isPlain = typeof content === 'string' && !message.parts
      // Most messages of a long conversation were counted for an earlier request.
      most += isPlain && isEmpty(additionalKwargs) ? 2 * content.length : messageTokens(message, this.tokenizer)
      if (most > limit) return false
    }
    return true
  }

  private limitOf({ metadata }: BaseLLM): number | null {
    const { maxTokens, reservedTokens } = this.options
    if (maxTokens !== undefined) return maxTokens
    const { contextWindow, numOutput } = metadata
    if (contextWindow === null) return null
    return contextWindow - (reservedTokens ?? Math.min(numOutput, Math.floor(contextWindow / 2)))
  }

  /** Returns the number of tokens of messages and tools. */
  count(messages: readonly ChatMessage[], tools?: readonly ToolDefinition[]): number {
    const { tokenizer } = this
    const start = tools ? chatTokens([], { tools, tokenizer }) : 0
    return messages.reduce((sum, message) => sum + messageTokens(message, tokenizer), start)
  }

  /** Returns what must be left out so that at most `aim` tokens remain, as far as possible. */
  private leaveOut(parts: Parts, before: LeftOutMessages, aim: number, keepTurns: number): LeftOutMessages {
    const { history, turns } = parts
    const after = { ...before }
    let tokens = this.count(joined(parts, after))
    while (tokens > aim && after.messages < history.length) {
      // A conversation continues with a message of the user.
      do tokens -= messageTokens(history[after.messages++]!, this.tokenizer)
      while (after.messages < history.length && history[after.messages]!.role !== 'user')
    }
    while (tokens > aim && after.turns < turns.length - keepTurns) tokens -= this.count(turns[after.turns++]!)
    return after
  }

  /** Replaces omitted messages by a summary from now on. Returns its token usage. */
  private async summarized(
    { task, llm, context, durable, name, signal, parentId }: ContextRequest,
    { history, turns }: Parts,
    before: LeftOutMessages,
    after: LeftOutMessages,
    maxTokens: number,
  ): Promise<TokenUsage | null | undefined> {
    const { summarize, onSummaryError } = this
    const messages = [
      ...history.slice(before.messages, after.messages),
      ...turns.slice(before.turns, after.turns).flat(),
    ]
    if (!summarize || messages.length === 0) return undefined
    let made: Json
    try {
      made = await durable(name, async () => {
        const inRun = { task, llm, context, signal, parentId }
        const made = await summarize({ messages, previous: before.summary, maxTokens, ...inRun })
        const { text, usage = null } = typeof made === 'string' ? { text: made } : made
        return { text, usage: usage && { ...usage } }
      })
    } catch (error) {
      signal?.throwIfAborted()
      onSummaryError?.(error)
      return undefined
    }
    const { text, usage } = readSaved(name, () => readSummary(made))
    after.summary = text
    return usage
  }

  /** Returns the messages with the outputs of tools shortened, as far as they have more than `most` tokens. */
  private shortened(parts: Parts, leftOut: LeftOutMessages, most: number): ChatMessage[] {
    const messages = joined(parts, leftOut)
    const excess = this.count(messages) - most
    if (excess <= 0) return messages
    const turns = new Set(parts.turns.slice(leftOut.turns).flat())
    const outputs = messages.filter((message) => turns.has(message) && isOutput(message))
    const sizes = outputs.map((message) => messageTokens(message, this.tokenizer))
    const cap = Math.max(MIN_TOKENS, capFor(sizes, excess))
    const isLong = new Set(outputs.filter((_, i) => sizes[i]! > cap))
    return messages.map((message) => (isLong.has(message) ? this.clipped(message, cap) : message))
  }

  private clipped(message: ChatMessage, maxTokens: number): ChatMessage {
    const { content } = message
    if (typeof content === 'string')
      return message.copy({ update: { content: clipText(content, maxTokens, this.tokenizer) } })
    return message.copy({ update: { content: [...clipParts(content ?? [], maxTokens, this.tokenizer)] } })
  }
}

function lowest(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.min(a, b)
}

/** Splits a request. Without the first message of the task, everything counts as conversation. */
function split(messages: readonly ChatMessage[], first: ChatMessage | undefined): Parts {
  const body = messages.findIndex((message) => !isSystemMessage(message))
  const headerEnd = body < 0 ? messages.length : body
  const found = first ? messages.indexOf(first) : -1
  // The newest message of the user and what follows it, if the messages were changed.
  const start =
    found >= 0
      ? found
      : Math.max(
          headerEnd,
          messages.findLastIndex(({ role }) => role === 'user'),
        )
  const own = messages.slice(start)
  const inputEnd = own.findIndex(({ role }) => role === 'assistant')
  const turns: ChatMessage[][] = []
  for (const message of inputEnd < 0 ? [] : own.slice(inputEnd)) {
    if (message.role === 'assistant') turns.push([message])
    else turns.at(-1)!.push(message)
  }
  return {
    header: messages.slice(0, headerEnd),
    history: messages.slice(headerEnd, start),
    input: inputEnd < 0 ? own : own.slice(0, inputEnd),
    turns,
  }
}

/** Returns what the last request left out, up to the beginning of a turn: the conversation may have changed since. */
function leftOutOf({ history }: Parts, before: LeftOutMessages | undefined): LeftOutMessages {
  if (!before) return { messages: 0, turns: 0, summary: null, maxTokens: null }
  const messages = turnStart(history, before.messages)
  return messages === before.messages ? before : { ...before, messages }
}

/** Returns the messages of a request without what is left out. */
function joined(
  { header, history, input, turns }: Parts,
  { messages, turns: left, summary }: LeftOutMessages,
): ChatMessage[] {
  const note = summary !== null ? `Summary of what was left out:\n${summary}` : left > 0 ? NOTE : null
  return [
    ...header,
    ...history.slice(messages),
    ...input,
    ...(note === null ? [] : [new ChatMessage({ role: 'user', content: note })]),
    ...turns.slice(left).flat(),
  ]
}

/** Whether a message of a turn is the output of a tool: everything that the model did not write. */
function isOutput({ role }: ChatMessage): boolean {
  return role !== 'assistant'
}

/** Returns the size to which the largest ones must be cut so that all together have `excess` less. */
function capFor(sizes: readonly number[], excess: number): number {
  const sorted = [...sizes].sort((a, b) => b - a)
  let left = excess
  for (let i = 0; i < sorted.length; i++) {
    const next = sorted[i + 1] ?? 0
    const step = (sorted[i]! - next) * (i + 1)
    if (step >= left) return Math.floor(sorted[i]! - left / (i + 1))
    left -= step
  }
  return 0
}

/** The length of each tool as JSON, because tools are the same in every request. */
const lengths = new WeakMap<ToolDefinition, number>()

function lengthOf(tool: ToolDefinition): number {
  const known = lengths.get(tool) ?? compactJson(tool).length
  lengths.set(tool, known)
  return known
}

function isEmpty(object: object): boolean {
  for (const _key in object) return false
  return true
}

/** Reads a summary of messages. */
function readSummary(data: unknown): { text: string; usage: TokenUsage | null } {
  return readRecord('Summary', data, (fields) => ({
    text: fields.string('text'),
    usage: fields.record('usage', (usage) => (usage === null ? null : readTokens(usage))),
  }))
}
