/**
 * @module
 * Describes the span of each type of event: name, kind and attributes.
 */
import { type Attributes, SpanKind } from '@opentelemetry/api'
import { compactJson, textOrJson } from '@x/core/values'
import {
  ChatMessage,
  type CompletionResponse,
  type EventPayload,
  type EventPayloads,
  type EventType,
  finishReasonOf,
  messageParts,
  messageText,
  type NodeWithScore,
  usageOf,
} from '@x/core-model'
import { isSystemMessage } from '@x/core-model/components'
import { type Conventions, names } from './names.ts'

/** A span before it starts. */
export interface SpanDescription {
  name: string
  kind: SpanKind
  attributes: Attributes
}

/** The data that a description depends on, in addition to the event. */
export interface DescribeOptions {
  agentName?: string | undefined
  captureContent: boolean
  conventions: Conventions
}

/** Returns the description of the span when an event starts. */
export function describeStart(
  type: EventType,
  payload: EventPayload | null,
  options: DescribeOptions,
): SpanDescription {
  const data = payload ?? {}
  if (type === 'llm') return modelSpan(data as EventPayloads['llm']['start'], options)
  if (type === 'embedding') return embeddingSpan(data as EventPayloads['embedding']['start'], options)
  if (type === 'function_call') return toolSpan(data as EventPayloads['function_call']['start'], options)
  if (type === 'agent_step') return agentSpan(data as EventPayloads['agent_step']['start'], options)
  if (type === 'task_step') return stepSpan(data as EventPayloads['task_step']['start'])
  if (type === 'retrieve') return retrievalSpan(data as EventPayloads['retrieve']['start'], options)
  if (type === 'reranking') return internal('rerank', data['model_name'])
  if (type === 'query') return internal('invoke_workflow', type, { [names.agentName]: type })
  return { name: type, kind: SpanKind.INTERNAL, attributes: {} }
}

/** Returns the attributes that the end of an event adds. */
export function describeEnd(type: EventType, payload: EventPayload | null, options: DescribeOptions): Attributes {
  if (payload === null) return {}
  if (type === 'llm') return modelEnd(payload as EventPayloads['llm']['end'], options)
  if (type === 'function_call' && options.captureContent)
    return { [names.toolResult]: String(payload['function_call_response'] ?? '') }
  if (type === 'embedding') return embeddingEnd(payload as Partial<EventPayloads['embedding']['end']>)
  if (type === 'retrieve' || type === 'reranking') return nodesEnd(payload['nodes'], options)
  return {}
}

function modelSpan(start: EventPayloads['llm']['start'], describe: DescribeOptions): SpanDescription {
  const { messages, formatted_prompt: prompt, additional_kwargs: options, serialized } = start
  const operation = prompt === undefined ? 'chat' : 'text_completion'
  const { stop, responseFormat } = options
  const asked = messages ?? [new ChatMessage({ role: 'user', content: prompt ?? '' })]
  return {
    name: `${operation} ${serialized.model}`,
    kind: SpanKind.CLIENT,
    attributes: {
      [names.operation]: operation,
      [names.requestModel]: serialized.model,
      ...providerOf(serialized, describe),
      ...numbersOf(options),
      [names.stop]: Array.isArray(stop) ? stop.map(String) : undefined,
      [names.outputType]: Object(responseFormat).type === 'json' ? 'json' : undefined,
      ...(describe.captureContent && askedContent(asked, options)),
    },
  }
}

/**
 * Returns the attributes of the provider and of its server. The conventions require a provider: the class of the model if it is unknown.
 */
function providerOf(serialized: Readonly<Record<string, unknown>>, { conventions }: DescribeOptions): Attributes {
  const { provider, class_name: name, endpoint } = serialized
  const { address, port } = (endpoint ?? {}) as { address?: string; port?: number }
  const known = [provider, name, '_OTHER'].find((value) => typeof value === 'string' && value !== '') as string
  return {
    [conventions === '1.36' ? 'gen_ai.system' : names.provider]: known,
    [names.serverAddress]: address,
    [names.serverPort]: port,
  }
}

/** The options of a call that are numbers. */
const numbers = ['temperature', 'max_tokens', 'top_p', 'top_k', 'seed', 'frequency_penalty', 'presence_penalty']

/** Returns the options of a call that are numbers, under the names of this library or of OpenAI. */
function numbersOf(options: Readonly<Record<string, unknown>>): Attributes {
  const found: Attributes = {}
  for (const name of numbers) {
    const value = options[name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())] ?? options[name]
    if (typeof value === 'number') found[`gen_ai.request.${name}`] = value
  }
  return found
}

/** Returns the messages of a request, the instructions apart, and its tools. */
function askedContent(messages: readonly ChatMessage[], { tools }: Readonly<Record<string, unknown>>): Attributes {
  const instructions = messages.filter(isSystemMessage)
  const definitions = (Array.isArray(tools) ? tools : []) as { type: string; function?: object }[]
  return {
    [names.inputMessages]: messagesJson(messages.filter((message) => !isSystemMessage(message))),
    'gen_ai.system_instructions': instructions.length > 0 ? instructionsJson(instructions) : undefined,
    'gen_ai.tool.definitions':
      definitions.length > 0
        ? compactJson(definitions.map(({ type, function: own }) => ({ type, ...own })))
        : undefined,
  }
}

function modelEnd(
  { response, completion }: EventPayloads['llm']['end'],
  { captureContent }: DescribeOptions,
): Attributes {
  const answer = response ?? completion
  if (!answer) return {}
  const usage = usageOf(answer)
  const reason = finishReasonOf(answer)
  const { model, id } = (answer.raw ?? {}) as { model?: unknown; id?: unknown }
  const message =
    response?.message ?? new ChatMessage({ role: 'assistant', content: (answer as CompletionResponse).text })
  return {
    [names.responseModel]: typeof model === 'string' ? model : undefined,
    [names.responseId]: typeof id === 'string' ? id : undefined,
    [names.finishReasons]: reason === null ? undefined : [reason],
    [names.inputTokens]: usage?.inputTokens,
    [names.outputTokens]: usage?.outputTokens,
    [names.cachedTokens]: usage?.cachedInputTokens || undefined,
    [names.reasoningTokens]: usage?.reasoningTokens || undefined,
    [names.outputMessages]: captureContent ? messagesJson([message], reason) : undefined,
  }
}

function embeddingSpan({ serialized }: EventPayloads['embedding']['start'], options: DescribeOptions): SpanDescription {
  const span = internal('embeddings', serialized['model_name'], providerOf(serialized, options))
  return { ...span, kind: SpanKind.CLIENT }
}

function embeddingEnd({ embeddings, input_tokens: tokens }: Partial<EventPayloads['embedding']['end']>): Attributes {
  return { 'gen_ai.embeddings.dimension.count': embeddings?.[0]?.length, [names.inputTokens]: tokens }
}

function toolSpan(
  start: EventPayloads['function_call']['start'],
  { captureContent }: DescribeOptions,
): SpanDescription {
  const { tool, call_id: id, task_id: taskId, step_id: stepId, function_call: args } = start
  const name = tool?.getName() ?? 'unknown'
  return internal('execute_tool', name, {
    [names.toolName]: name,
    [names.toolType]: 'function',
    [names.toolDescription]: tool?.description,
    [names.toolCallId]: id,
    [names.taskId]: taskId,
    [names.stepId]: stepId,
    [names.toolArguments]: captureContent ? textOrJson(args) : undefined,
  })
}

function agentSpan(
  { task_id: taskId, conversation_id: conversationId }: EventPayloads['agent_step']['start'],
  { agentName }: DescribeOptions,
): SpanDescription {
  return internal('invoke_agent', agentName, {
    [names.agentName]: agentName,
    [names.conversationId]: conversationId,
    [names.taskId]: taskId,
  })
}

function stepSpan({ task_id: taskId, step_id: stepId }: EventPayloads['task_step']['start']): SpanDescription {
  return internal('task_step', undefined, { [names.taskId]: taskId, [names.stepId]: stepId })
}

function retrievalSpan(
  { query_str: query }: EventPayloads['retrieve']['start'],
  { captureContent }: DescribeOptions,
): SpanDescription {
  return internal('retrieval', undefined, { [names.queryText]: captureContent ? query : undefined })
}

function nodesEnd(nodes: unknown, { captureContent }: DescribeOptions): Attributes {
  if (!Array.isArray(nodes)) return {}
  const found = (nodes as NodeWithScore[]).map(({ node, score }) => ({ id: node.id, score }))
  return { [names.nodeCount]: found.length, [names.documents]: captureContent ? JSON.stringify(found) : undefined }
}

/** The span of an operation within this process. Attributes that are undefined are left out by the tracer. */
function internal(operation: string, subject?: unknown, more: Attributes = {}): SpanDescription {
  const isNamed = typeof subject === 'string' && subject !== ''
  return {
    name: isNamed ? `${operation} ${subject}` : operation,
    kind: SpanKind.INTERNAL,
    attributes: {
      [names.operation]: operation,
      [names.requestModel]: isNamed && /^(?:embeddings|rerank)$/.test(operation) ? subject : undefined,
      ...more,
    },
  }
}

/** Returns messages as the JSON of `gen_ai.input.messages`. Images and files are named; their data is left out. */
function messagesJson(messages: readonly ChatMessage[], finishReason: string | null = null): string {
  return compactJson(
    messages.map((message) => ({
      role: message.role,
      parts: partsOf(message),
      ...(finishReason !== null && { finish_reason: finishReason }),
    })),
  )
}

/** Returns messages as the JSON of `gen_ai.system_instructions`. */
function instructionsJson(messages: readonly ChatMessage[]): string {
  return compactJson(messages.flatMap(partsOf))
}

function partsOf(message: ChatMessage): object[] {
  const { role, additionalKwargs } = message
  if (role === 'tool' || role === 'function')
    return [
      { type: 'tool_call_response', id: additionalKwargs['tool_call_id'] ?? null, response: messageText(message) },
    ]
  return messageParts(message).map((part) => {
    if (part.type === 'text' || part.type === 'reasoning') return { type: part.type, content: part.text }
    if (part.type !== 'tool_call') return { type: part.type }
    const { type, id, name, arguments: args } = part
    return { type, id, name, arguments: args }
  })
}
