/**
 * @module
 * Parts of a conversation: the newest within a number of tokens, and those that begin or end at a number of messages.
 */

import { ToolkitError } from '@x/core'
import { chatTokens } from '../chat-tokens.ts'
import type { Tokenizer } from '../contracts/embedding.ts'
import { countTokens } from '../count-tokens.ts'
import type { ChatMessage } from '../messages/chat-message.ts'

/** The token count of a message, and the content that was counted, because messages may change. */
interface Count {
  content: unknown
  additionalKwargs: unknown
  tokens: number
}

/** The counts of each tokenizer, so that a conversation is not counted again for every answer. */
const counts = new WeakMap<Tokenizer, WeakMap<ChatMessage, Count>>()

/** Returns the number of tokens of a message, and caches it. */
export function messageTokens(message: ChatMessage, tokenizer: Tokenizer): number {
  let known = counts.get(tokenizer)
  if (!known) {
    known = new WeakMap()
    counts.set(tokenizer, known)
  }
  const { content, additionalKwargs } = message
  const count = known.get(message)
  if (count?.content === content && count.additionalKwargs === additionalKwargs) return count.tokens
  // A tokenizer that splits at spaces counts an empty string: contents are counted as if spaces joined them.
  const empty = (content ?? '') === '' ? countTokens('', tokenizer) : 0
  const tokens = chatTokens([message], { tokenizer }) + empty
  known.set(message, { content, additionalKwargs, tokens })
  return tokens
}

/** The tokens that join two messages: those of a space between words, which only some tokenizers count. */
function joiningTokens(tokenizer: Tokenizer): number {
  if (tokenizer === joining?.tokenizer) return joining.tokens
  joining = { tokenizer, tokens: measured(tokenizer) }
  return joining.tokens
}

/** The last tokenizer that was measured: nearly always there is one. */
let joining: { tokenizer: Tokenizer; tokens: number } | undefined

function measured(tokenizer: Tokenizer): number {
  return Math.max(0, countTokens('a a', tokenizer) - 2 * countTokens('a', tokenizer))
}

/**
 * Returns all messages if they have at most `room` tokens. Otherwise returns the longest suffix within `room` that starts neither with an
 * answer nor with the output of a tool: a start in the middle of a turn confuses models, and some providers reject it.
 * Counts only the messages that fit, and the first one that does not.
 */
export function newestWithin(messages: ChatMessage[], room: number, tokenizer: Tokenizer): ChatMessage[] {
  if (room >= Number.MAX_SAFE_INTEGER) return messages
  const between = joiningTokens(tokenizer)
  let start = messages.length
  for (let left = room; start > 0; start--) {
    left -= messageTokens(messages[start - 1]!, tokenizer) + (start < messages.length ? between : 0)
    if (left < 0) break
  }
  if (start === 0) return messages
  while (start < messages.length && cannotOpen(messages[start]!)) start++
  return messages.slice(start)
}

/** The number of messages of the first page of a conversation that is new, and how many times more the next one has. */
export const PAGE = 128
const PAGE_GROWTH = 4

/**
 * Returns what {@link newestWithin} returns for all messages of a conversation, and reads no more of them than necessary.
 * @param last - returns as many of the last messages of the conversation as it is asked for, or all
 * @param first - the number of messages of the first page
 */
export async function newestRead(
  last: (count: number) => Promise<ChatMessage[]>,
  room: number,
  tokenizer: Tokenizer,
  first: number = PAGE,
): Promise<ChatMessage[]> {
  if (room >= Number.MAX_SAFE_INTEGER) return last(room)
  for (let count = first; ; count *= PAGE_GROWTH) {
    const messages = await last(count)
    const newest = newestWithin(messages, room, tokenizer)
    if (newest !== messages || messages.length !== count) return newest
  }
}

/**
 * Returns where the turn begins that has the message at `place`: at a message of the user, or at 0. An earlier turn may go on, so a number
 * of messages may point into a turn later.
 */
export function turnStart(messages: readonly ChatMessage[], place: number): number {
  let start = place
  while (start > 0 && start < messages.length && messages[start]!.role !== 'user') start--
  return start
}

/** Returns the first `length` messages, and the results of their calls: the turns may have gone on since they were counted. */
export function firstMessages(messages: readonly ChatMessage[], length = messages.length): ChatMessage[] {
  let end = length
  while (end > 0 && messages[end]?.role === 'tool') end++
  return messages.slice(0, end)
}

function cannotOpen({ role }: ChatMessage): boolean {
  return role === 'assistant' || role === 'tool'
}

/**
 * Thrown when the tokens already in use exceed the token limit of the memory. Raise `tokenLimit`, or shorten the system prompt and the
 * question.
 */
export class TokenLimitError extends ToolkitError {
  constructor(initial: number, limit: number) {
    super('TokenLimitError', 'token_limit', `Expected at most ${limit} tokens in use, received ${initial}.`)
  }
}

declare module '@x/core' {
  interface ToolkitErrors {
    token_limit: TokenLimitError
  }
}
