/** Values that a case writes as `{"$kind": …}`. */
import { QueryResponse } from '@x/agents'
import {
  ChatMessage,
  ChatResponse,
  CompletionResponse,
  type Dict,
  NodeWithScore,
  QueryBundle,
  TextNode,
  ToolOutput,
} from '@x/core-model'
import { isObject, list, nullable, object, type Place, type Reader, shape, string } from '../../reader.ts'
import { message, messageOf, messageRecord } from '../../stand-ins/messages.ts'
import { scoredNode, scoredNodeOf } from '../../stand-ins/scored-node.ts'
import { toolOutput, toolOutputForm, toolOutputOf } from '../../stand-ins/tool-output.ts'

/** Makes a value; each use makes a new one, so that streams can be read. */
type Make = () => unknown

const textNode = shape({ id: string, text: string })

function assistant(content: string | null): ChatMessage {
  return new ChatMessage({ role: 'assistant', content })
}

async function* streamOf(items: readonly unknown[]): AsyncGenerator<unknown> {
  yield* items
}

function making<T>(reader: Reader<T>, make: (read: T) => unknown): Reader<Make> {
  return (item, at) => {
    const read = reader(item, at)
    return () => make(read)
  }
}

const kinds: Readonly<Record<string, Reader<Make>>> = {
  $node: making(scoredNode, scoredNodeOf),
  $text_node: making(textNode, (fields) => new TextNode(fields)),
  $message: making(message, messageOf),
  $chat_response: making(nullable(string), (content) => new ChatResponse({ message: assistant(content) })),
  $completion: making(string, (text) => new CompletionResponse({ text })),
  $query_bundle: making(string, (queryStr) => new QueryBundle({ queryStr })),
  $response: making(nullable(string), (response) => ({ response, sourceNodes: [] })),
  $stream: (items, at) => {
    const makers = list(maker)(items, at)
    return () => streamOf(makers.map((make) => make()))
  },
  $chat_delta: making(string, (delta) => new ChatResponse({ message: assistant(delta), delta })),
  $tool_output: making(toolOutput, toolOutputOf),
}

const maker: Reader<Make> = (item, at) => {
  if (Array.isArray(item)) {
    const makers = list(maker)(item, at)
    return () => makers.map((make) => make())
  }
  if (!isObject(item)) return () => item
  const [key, ...others] = Object.keys(item)
  if (key?.startsWith('$') && others.length === 0) return kindReader(key, at)(item[key], at.child(key))
  const makers = Object.entries(item).map(([name, value]) => [name, maker(value, at.child(name))] as const)
  return () => Object.fromEntries(makers.map(([name, make]) => [name, make()]))
}

function kindReader(key: string, at: Place): Reader<Make> {
  return kinds[key] ?? at.fail(`one of ${Object.keys(kinds).join(', ')}`, key)
}

/** Reads any value. */
export const value: Reader<unknown> = (item, at) => maker(item, at)()

/** Reads an object of values. */
export const values: Reader<Dict> = (item, at) =>
  Object.fromEntries(Object.entries(object(item, at)).map(([key, inner]) => [key, value(inner, at.child(key))]))

/** The answer of a query engine that is not an object of a class. */
function isPlainResponse(item: Dict): boolean {
  return Object.keys(item).sort().join() === 'response,sourceNodes'
}

/** Writes any value in the form of the cases. */
export function valueForm(item: unknown): unknown {
  if (Array.isArray(item)) return item.map(valueForm)
  if (item instanceof NodeWithScore) return { $node: { id: item.id, score: item.score } }
  if (item instanceof TextNode) return { $text_node: { id: item.id, text: item.text } }
  if (item instanceof ChatResponse) return { $chat_response: item.message.content }
  if (item instanceof CompletionResponse) return { $completion: item.text }
  if (item instanceof QueryBundle) return { $query_bundle: item.queryStr }
  if (item instanceof QueryResponse) return { $response: item.response }
  if (item instanceof ToolOutput) return { $tool_output: toolOutputForm(item) }
  if (item instanceof ChatMessage) return { $message: messageRecord(item) }
  if (!isObject(item)) return item
  if (isPlainResponse(item)) return { $response: item['response'] }
  return Object.fromEntries(Object.entries(item).map(([key, inner]) => [key, valueForm(inner)]))
}
