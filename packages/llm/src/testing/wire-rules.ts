/**
 * @module
 * What the public references of the providers require of a request, as far as no adapter can mend it.
 */
import { isPlainObject, jsonOr } from '@x/core/values'
import { type CallOptions, type ChatMessage, messageText, toolCallsOf } from '@x/core-model'

const NAME = /^[\w-]{1,64}$/
const ID = /^[\w-]{1,40}$/

/** Returns the first rule that a request breaks, with the place; null if providers accept the request. */
export function brokenRule(messages: readonly ChatMessage[], { tools }: CallOptions): string | null {
  for (const fault of faultsOf(messages, tools ?? [])) return fault
  return null
}

function* faultsOf(messages: readonly ChatMessage[], tools: readonly unknown[]): Generator<string> {
  for (const [i, tool] of tools.entries()) yield* toolFaults(tool, `tools[${i}]`)
  const used = new Set<string>()
  for (const [i, message] of messages.entries()) {
    const place = `messages[${i}]`
    yield* textFaults(message, place)
    if (isOutput(message)) yield* outputFaults(messages, i)
    else yield* callFaults(messages, i, used)
  }
}

function* toolFaults(tool: unknown, place: string): Generator<string> {
  const own = isPlainObject(tool) && isPlainObject(tool['function']) ? tool['function'] : null
  // A tool that the provider runs.
  if (!own) return
  const { name, parameters } = own
  if (!NAME.test(String(name)))
    yield `${place}.function.name: expected 1 to 64 letters, digits, "_" and "-", received ${quote(name)}`
  if (parameters !== undefined && (!isPlainObject(parameters) || parameters['type'] !== 'object'))
    yield `${place}.function.parameters: expected a schema of the type "object", received ${quote(parameters)}`
}

function* callFaults(messages: readonly ChatMessage[], i: number, used: Set<string>): Generator<string> {
  const message = messages[i]!
  const calls = toolCallsOf(message)
  if (calls.length === 0 && isEmpty(message)) yield `messages[${i}]: expected content, received an empty message`
  for (const [j, { id, name, arguments: args }] of calls.entries()) {
    const place = `messages[${i}].tool_calls[${j}]`
    if (!NAME.test(name)) yield `${place}.name: expected 1 to 64 letters, digits, "_" and "-", received ${quote(name)}`
    if (!ID.test(id ?? '')) yield `${place}.id: expected 1 to 40 letters, digits, "_" and "-", received ${quote(id)}`
    if (typeof args === 'string' && !isPlainObject(jsonOr(args)))
      yield `${place}.arguments: expected a JSON object, received ${quote(args)}`
    if (used.has(id!)) yield `${place}.id: expected an id that no other call of the request has, received ${quote(id)}`
    used.add(id!)
    const results = resultsBehind(messages, i).filter((result) => result === id).length
    if (results !== 1) yield `${place}: expected one tool message for it right behind its message, received ${results}`
  }
}

function* outputFaults(messages: readonly ChatMessage[], i: number): Generator<string> {
  let before = i
  while (before > 0 && isOutput(messages[before]!)) before--
  const id = messages[i]!.additionalKwargs['tool_call_id']
  if (!toolCallsOf(messages[before]!).some((call) => call.id === id))
    yield `messages[${i}].tool_call_id: expected the id of a call in the message before, received ${quote(id)}`
}

function* textFaults({ content, additionalKwargs }: ChatMessage, place: string): Generator<string> {
  if (hasLoneSurrogate(content)) yield `${place}.content: expected well-formed Unicode, received a lone surrogate`
  if (hasLoneSurrogate(additionalKwargs['tool_calls']))
    yield `${place}.tool_calls: expected well-formed Unicode, received a lone surrogate`
}

/** Returns the ids of the tool messages right behind a message. */
function resultsBehind(messages: readonly ChatMessage[], i: number): unknown[] {
  const ids: unknown[] = []
  for (let next = i + 1; next < messages.length && isOutput(messages[next]!); next++)
    ids.push(messages[next]!.additionalKwargs['tool_call_id'])
  return ids
}

const isOutput = ({ role }: ChatMessage): boolean => role === 'tool'

function isEmpty(message: ChatMessage): boolean {
  const { content } = message
  return Array.isArray(content) ? content.length === 0 : messageText(message) === ''
}

/** A lone surrogate has no code point, so that the JSON of the value escapes it. */
function hasLoneSurrogate(value: unknown): boolean {
  if (typeof value === 'string') return /\p{Surrogate}/u.test(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasLoneSurrogate)
}

const quote = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 100)
