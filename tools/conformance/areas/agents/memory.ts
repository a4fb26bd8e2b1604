/** Scripts of calls on a memory. */
import { ChatMemoryBuffer } from '@x/agents'
import type { ChatMessage } from '@x/core-model'
import { type Operations, operation } from '../../case.ts'
import { argument, list, named, object, optional, type Read, shape, string } from '../../reader.ts'
import { call, callReader, runCalls } from '../../script.ts'
import { CaseModel, caseModel } from '../../stand-ins/case-model.ts'
import { message, messageOf, messageRecord } from '../../stand-ins/messages.ts'

/** Splits at single spaces. */
export const spaceTokenizer = (text: string): string[] => text.split(' ')

interface Subject {
  memory: ChatMemoryBuffer
  /** The list that was passed as `chat_history`. */
  history: ChatMessage[]
}

const withMessage = shape({ message })
const nothing = shape({})

const memoryCall = callReader<Subject>({
  put: call(withMessage, ({ memory }, given) => memory.put(messageOf(given.message))),
  get: call(shape({ initial_token_count: argument<number | undefined>() }), ({ memory }, given) =>
    memory.get({ initialTokenCount: given.initial_token_count }).map(messageRecord),
  ),
  get_all: call(nothing, ({ memory }) => memory.getAll().map(messageRecord)),
  set: call(shape({ messages: list(message) }), ({ memory }, given) => memory.set(given.messages.map(messageOf))),
  reset: call(nothing, ({ memory }) => memory.reset()),
  to_dict: call(nothing, ({ memory }) => memory.toDict()),
  to_string: call(nothing, ({ memory }) => memory.toString()),
  token_limit: call(nothing, ({ memory }) => memory.tokenLimit),
  round_trip: call(nothing, ({ memory }) => ChatMemoryBuffer.fromString(memory.toString()).getAll().map(messageRecord)),
  mutate_get_all: call(withMessage, ({ memory }, given) => void memory.getAll().push(messageOf(given.message))),
  mutate_input: call(withMessage, ({ history }, given) => void history.push(messageOf(given.message))),
  input_length: call(nothing, ({ history }) => history.length),
})

const input = shape({
  calls: list(memoryCall),
  token_limit: argument<number | undefined>(),
  tokenizer: optional(named({ space: spaceTokenizer, chars: (text: string) => Array.from(text) })),
  chat_history: optional(list(message)),
  llm: optional(caseModel),
  chat_store_key: argument<string | undefined>(),
  from_dict: optional(object),
  from_string: optional(string),
})

function subjectOf(given: Read<typeof input>): Subject {
  const history = (given.chat_history ?? []).map(messageOf)
  if (given.from_dict !== undefined) return { memory: ChatMemoryBuffer.fromDict(given.from_dict), history }
  if (given.from_string !== undefined) return { memory: ChatMemoryBuffer.fromString(given.from_string), history }
  const memory = ChatMemoryBuffer.fromDefaults({
    ...(given.token_limit !== undefined && { tokenLimit: given.token_limit }),
    ...(given.chat_history && { chatHistory: history }),
    ...(given.llm && { llm: new CaseModel(given.llm) }),
    ...(given.chat_store_key !== undefined && { chatStoreKey: given.chat_store_key }),
    tokenizerFn: given.tokenizer ?? spaceTokenizer,
  })
  return { memory, history }
}

export const memory: Operations = {
  'ChatMemoryBuffer.script': operation(input, async (given, { value }) => ({
    results: await runCalls(given.calls, subjectOf(given), value),
  })),
}
