/** Scripts of calls on a memory. */
import { ChatMemoryBuffer } from '@x/agents'
import type { ChatMessage, Dict } from '@x/core-model'
import type { Operations } from '../../case.ts'
import { named } from '../../given.ts'
import { type CallRecord, type Calls, runCalls } from '../../script.ts'
import { type CaseModelRecord, caseModel } from '../../stand-ins/case-model.ts'
import { type MessageRecord, messageOf, messageRecord, messagesOf } from '../../stand-ins/messages.ts'

/** Splits at single spaces. */
export const spaceTokenizer = (text: string): string[] => text.split(' ')

const tokenizers = { space: spaceTokenizer, chars: (text: string) => Array.from(text) }

interface Subject {
  memory: ChatMemoryBuffer
  /** The list that was passed as `chat_history`. */
  history: ChatMessage[]
}

interface OfMessage {
  message: MessageRecord
}

const calls: Calls<Subject> = {
  put: ({ memory }, { message }: OfMessage) => memory.put(messageOf(message)),
  get: ({ memory }, options: { initialTokenCount?: number }) => memory.get(options).map(messageRecord),
  get_all: ({ memory }) => memory.getAll().map(messageRecord),
  set: ({ memory }, { messages }: { messages: MessageRecord[] }) => memory.set(messagesOf(messages)),
  reset: ({ memory }) => memory.reset(),
  to_dict: ({ memory }) => memory.toDict(),
  to_string: ({ memory }) => memory.toString(),
  token_limit: ({ memory }) => memory.tokenLimit,
  round_trip: ({ memory }) => ChatMemoryBuffer.fromString(memory.toString()).getAll().map(messageRecord),
  mutate_get_all: ({ memory }, { message }: OfMessage) => void memory.getAll().push(messageOf(message)),
  mutate_input: ({ history }, { message }: OfMessage) => void history.push(messageOf(message)),
  input_length: ({ history }) => history.length,
}

interface Input {
  calls: CallRecord[]
  tokenLimit?: number
  tokenizer?: string
  chatHistory?: MessageRecord[]
  llm?: CaseModelRecord
  chatStoreKey?: string
  fromDict?: Dict
  fromString?: string
}

function subjectOf({ chatHistory, fromDict, fromString, tokenizer = 'space', llm, ...given }: Input): Subject {
  const history = messagesOf(chatHistory)
  if (fromDict !== undefined) return { memory: ChatMemoryBuffer.fromDict(fromDict), history }
  if (fromString !== undefined) return { memory: ChatMemoryBuffer.fromString(fromString), history }
  const memory = ChatMemoryBuffer.fromDefaults({
    ...(given.tokenLimit !== undefined && { tokenLimit: given.tokenLimit }),
    ...(chatHistory && { chatHistory: history }),
    ...(llm && { llm: caseModel(llm) }),
    ...(given.chatStoreKey !== undefined && { chatStoreKey: given.chatStoreKey }),
    tokenizerFn: named(tokenizers, tokenizer),
  })
  return { memory, history }
}

export const memory: Operations = {
  'ChatMemoryBuffer.script': async ({ calls: script, ...given }: Input, { expect }) => ({
    results: await runCalls(calls, script, subjectOf({ ...given, calls: script }), expect.value),
  }),
}
