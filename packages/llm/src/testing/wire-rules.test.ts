import { ChatMessage, type Dict } from '@x/core-model'
import { expect, it } from 'vitest'
import { ScriptedLLM } from './scripted-llm.ts'

const user = new ChatMessage({ role: 'user', content: 'x' })
const call = (given: Dict = {}) => ({ id: 'c1', name: 'look', arguments: '{}', ...given })
const calls = (...tool_calls: Dict[]) =>
  new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { tool_calls } })
const result = (id = 'c1') =>
  new ChatMessage({ role: 'tool', content: '', additionalKwargs: { name: 'look', tool_call_id: id } })
const tool = (given: Dict) => ({ type: 'function', function: { name: 'look', description: '', ...given } })
const ask = (messages: ChatMessage[], tools: Dict[] = [], wire?: boolean) =>
  new ScriptedLLM({ answers: ['ok'], ...(wire !== undefined && { wire }) }).chat(messages, { tools } as never)

it.each<[string, ChatMessage[], Dict[], string]>([
  ['the name of a tool', [user], [tool({ name: 'a b' })], 'tools[0].function.name: expected 1 to 64'],
  ['a schema without a type', [user], [tool({ parameters: {} })], 'tools[0].function.parameters: expected a schema'],
  ['a schema that is null', [user], [tool({ parameters: null })], 'tools[0].function.parameters: expected a schema'],
  ['the name of a call', [user, calls(call({ name: 'a.b' })), result()], [], 'messages[1].tool_calls[0].name'],
  [
    'the id of a call',
    [user, calls(call({ id: 'a:0' })), result('a:0')],
    [],
    'messages[1].tool_calls[0].id: expected 1',
  ],
  [
    'arguments',
    [user, calls(call({ arguments: '{"a"' })), result()],
    [],
    'tool_calls[0].arguments: expected a JSON object',
  ],
  ['a call without result', [user, calls(call())], [], 'right behind its message, received 0'],
  ['two results', [user, calls(call()), result(), result()], [], 'right behind its message, received 2'],
  ['a late result', [user, calls(call()), user, result()], [], 'right behind its message, received 0'],
  ['a result without call', [user, result()], [], 'messages[1].tool_call_id: expected the id of a call'],
  ['a result as the first message', [result()], [], 'messages[0].tool_call_id: expected the id of a call'],
  [
    'an id twice',
    [calls(call()), result(), calls(call()), result()],
    [],
    'messages[2].tool_calls[0].id: expected an id that',
  ],
  ['an empty message', [new ChatMessage({ role: 'user', content: '' })], [], 'messages[0]: expected content'],
  ['a message without parts', [new ChatMessage({ role: 'user', content: [] })], [], 'messages[0]: expected content'],
  ['a long name', [user], [tool({ name: 'a'.repeat(200) })], `received "${'a'.repeat(99)}. With`],
  [
    'a lone surrogate',
    [new ChatMessage({ role: 'user', content: 'a\ud800' })],
    [],
    'messages[0].content: expected well-formed',
  ],
])('a request that providers refuse fails: %s', async (_, messages, tools, place) => {
  await expect(ask(messages, tools)).rejects.toThrow(place)
  await expect(ask(messages, tools, false)).resolves.toBeDefined()
})

it('a request that providers accept is answered', async () => {
  const messages = [user, calls(call(), call({ id: 'c2', arguments: { a: 1 } })), result(), result('c2'), user]
  const tools = [tool({ parameters: { type: 'object', properties: {} } }), { type: 'web_search' }]
  await expect(ask(messages, tools)).resolves.toBeDefined()
})
