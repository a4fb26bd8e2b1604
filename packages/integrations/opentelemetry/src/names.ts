/**
 * @module
 * Names of the GenAI semantic conventions. The conventions are still in development, so the names are here and not in a dependency.
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/
 */
export const names = {
  conversationId: 'gen_ai.conversation.id',
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  responseModel: 'gen_ai.response.model',
  responseId: 'gen_ai.response.id',
  stop: 'gen_ai.request.stop_sequences',
  outputType: 'gen_ai.output.type',
  timeToFirstChunk: 'gen_ai.response.time_to_first_chunk',
  finishReasons: 'gen_ai.response.finish_reasons',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cachedTokens: 'gen_ai.usage.cache_read.input_tokens',
  reasoningTokens: 'gen_ai.usage.reasoning.output_tokens',
  tokenType: 'gen_ai.token.type',
  agentName: 'gen_ai.agent.name',
  toolName: 'gen_ai.tool.name',
  toolType: 'gen_ai.tool.type',
  toolDescription: 'gen_ai.tool.description',
  toolCallId: 'gen_ai.tool.call.id',
  toolArguments: 'gen_ai.tool.call.arguments',
  toolResult: 'gen_ai.tool.call.result',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  queryText: 'gen_ai.retrieval.query.text',
  documents: 'gen_ai.retrieval.documents',
  serverAddress: 'server.address',
  serverPort: 'server.port',
  errorType: 'error.type',
  taskId: 'x.task.id',
  stepId: 'x.step.id',
  nodeCount: 'x.nodes.count',
} as const

/**
 * The versions of the conventions that a handler can write. They differ in the attribute of the provider, and in the metrics:
 * - `1.36`: the last version before `gen_ai.provider.name`, as older backends read it. It has no name for the time to the first chunk; the
 *   handler uses that of `1.41`.
 * - `1.41`: the last version in the repository of all conventions
 * - `genai`: the repository of their own, of which nothing is stable
 */
export type Conventions = '1.36' | '1.41' | 'genai'

/** The buckets that the conventions recommend: 10 ms to 82 s, and 1 to 67,108,864 tokens. */
export const durationBuckets = bucketsFrom(0.01, 2)
export const tokenBuckets = bucketsFrom(1, 4)

function bucketsFrom(first: number, factor: number): number[] {
  return Array.from({ length: 14 }, (_, index) => first * factor ** index)
}
