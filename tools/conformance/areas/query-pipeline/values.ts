/** Values that a case writes as `{"$kind": …}`. */
import { QueryResponse } from '@x/agents/protocol'
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
import { isObject, named } from '../../given.ts'
import { type MessageRecord, messageOf, messageRecord } from '../../stand-ins/messages.ts'
import { type ScoredNode, scoredNodeOf } from '../../stand-ins/scored-node.ts'
import { toolOutputForm, toolOutputOf } from '../../stand-ins/tool-output.ts'

const assistant = (content: unknown) => ({ role: 'assistant' as const, content: content as string | null })

async function* streamOf(items: readonly unknown[]): AsyncGenerator<unknown> {
  for (const item of items) yield valueOf(item)
}

const kinds: Readonly<Record<string, (item: unknown) => unknown>> = {
  $node: (item) => scoredNodeOf(item as ScoredNode),
  $text_node: (item) => new TextNode(item as { id: string; text: string }),
  $message: (item) => messageOf(item as MessageRecord),
  $chat_response: (content) => new ChatResponse({ message: assistant(content) }),
  $completion: (text) => new CompletionResponse({ text: text as string }),
  $query_bundle: (queryStr) => new QueryBundle({ queryStr: queryStr as string }),
  $response: (response) => ({ response, sourceNodes: [] }),
  $stream: (items) => streamOf(items as unknown[]),
  $chat_delta: (delta) => new ChatResponse({ message: assistant(delta), delta: delta as string }),
  $tool_output: (item) => toolOutputOf(item as Dict),
}

/** Makes any value. */
export function valueOf(item: unknown): unknown {
  if (Array.isArray(item)) return item.map(valueOf)
  if (!isObject(item)) return item
  const [key, ...others] = Object.keys(item)
  return key?.startsWith('$') && others.length === 0 ? named(kinds, key)(item[key]) : valuesOf(item)
}

/** Makes the values of an object. */
export const valuesOf = (items: Dict): Dict =>
  Object.fromEntries(Object.entries(items).map(([key, item]) => [key, valueOf(item)]))

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
