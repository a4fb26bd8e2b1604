/**
 * @module
 * Records the answers of a model and tools in a run, so that the run can be repeated without them.
 */
import type { AsyncBaseTool, Tool, ToolCallContext } from '@x/agents'
import { adaptToAsyncTool } from '@x/agents/protocol'
import { writeToolOutput } from '@x/agents/store'
import { compactJson, errorMessage } from '@x/core/values'
import {
  type BaseLLM,
  type CallOptions,
  type ChatMessage,
  type ChatResponse,
  type CompletionResponse,
  isToolkitError,
  type LLMMetadata,
  ToolkitError,
  type ToolOutput,
} from '@x/core-model'
import type { ModelCallErrorKind } from '@x/llm'

/** Thrown when a replayed run differs from its recording. Record the run again if the change is intended. */
export class ReplayMismatchError extends ToolkitError {
  /** Always true: the failure is never reported to a model as the failure of a tool. */
  readonly fatal = true

  constructor(message: string) {
    super('ReplayMismatchError', 'replay_mismatch', message)
  }
}

declare module '@x/core' {
  interface ToolkitErrors {
    replay_mismatch: ReplayMismatchError
  }
}

/** The version of recordings. Other versions cannot be read. */
export const RECORDING_VERSION = 1

/** An error in a recording. */
export interface RecordedError {
  name: string
  message: string
  /** One issue per invalid argument of a tool. */
  issues?: { path: string; message: string }[]
  /** Of a failed call of a model: what decides whether it is repeated. */
  model_call?: { kind: ModelCallErrorKind; status: number | null; retryable: boolean; retry_after_ms: number | null }
}

/** A request and its answer. */
export type RecordedExchange =
  | {
      kind: 'chat'
      messages: unknown[]
      options: Record<string, unknown>
      /** One answer, or the pieces of a stream. */
      responses: unknown[]
      error?: RecordedError
    }
  | { kind: 'tool'; name: string; arguments: Record<string, unknown>; output?: unknown; error?: RecordedError }

/** A tool in a recording. */
interface RecordedTool {
  name: string | null
  description: string
  parameters: Record<string, unknown> | null
  return_direct: boolean
}

/** A recorded run. It is plain JSON, for use as a test fixture. */
export interface RecordedRun {
  version: typeof RECORDING_VERSION
  metadata: Record<string, unknown> | null
  tools: RecordedTool[]
  exchanges: RecordedExchange[]
}

/**
 * Forwards requests to the real model and tools, and records the answers.
 * @example
 * import { ReActAgent } from '@x/agents'
 * const llm = new ScriptedLLM({ answers: ['Answer: four'] })
 * const recording = new Recording()
 * const agent = ReActAgent.fromTools({ llm: recording.llm(llm), tools: recording.tools([]) })
 * await agent.chat('How much is 2 + 2?')
 * recording.toDict().exchanges.length // => 1
 */
export class Recording {
  private metadata: LLMMetadata | null = null
  private readonly recordedTools: RecordedTool[] = []
  private readonly exchanges: RecordedExchange[] = []

  /** Wraps the model so that every exchange is recorded. */
  llm(llm: BaseLLM): BaseLLM {
    this.metadata = llm.metadata
    const { exchanges } = this
    const begin = (messages: readonly ChatMessage[], { signal: _, parentId: _p, ...options }: CallOptions = {}) => {
      const exchange: RecordedExchange & { kind: 'chat' } = {
        kind: 'chat',
        messages: messages.map((message) => message.toDict()),
        options: structuredClone(options),
        responses: [],
      }
      exchanges.push(exchange)
      return exchange
    }
    return {
      metadata: llm.metadata,
      async chat(messages, options) {
        const exchange = begin(messages, options)
        try {
          const response = await llm.chat(messages, options)
          exchange.responses.push(plainResponse(response))
          return response
        } catch (error) {
          exchange.error = recordedError(error)
          throw error
        }
      },
      async *streamChat(messages, options) {
        const exchange = begin(messages, options)
        try {
          for await (const chunk of llm.streamChat(messages, options)) {
            exchange.responses.push(plainResponse(chunk))
            yield chunk
          }
        } catch (error) {
          exchange.error = recordedError(error)
          throw error
        }
      },
      complete: (prompt, options) => llm.complete(prompt, options) as Promise<CompletionResponse>,
      streamComplete: (prompt, options) => llm.streamComplete(prompt, options),
    }
  }

  /** Wraps the tools so that every call is recorded. */
  tools(tools: readonly Tool[]): AsyncBaseTool[] {
    return tools.map((tool) => this.tool(adaptToAsyncTool(tool)))
  }

  private tool(tool: AsyncBaseTool): AsyncBaseTool {
    const { metadata } = tool
    this.recordedTools.push({
      name: metadata.name,
      description: metadata.description,
      parameters: (metadata.jsonSchema as Record<string, unknown> | undefined) ?? null,
      return_direct: metadata.returnDirect,
    })
    const call = async (args: Record<string, unknown>, context?: ToolCallContext): Promise<ToolOutput> => {
      const exchange: RecordedExchange & { kind: 'tool' } = {
        kind: 'tool',
        name: metadata.name ?? '',
        arguments: structuredClone(args),
      }
      this.exchanges.push(exchange)
      try {
        const output = await tool.call(args, context)
        exchange.output = JSON.parse(compactJson(writeToolOutput(output)))
        return output
      } catch (error) {
        // The tool is called again after the decisions; that call has the result.
        if (tool.canWait && isToolkitError(error, 'approval_required'))
          this.exchanges.splice(this.exchanges.indexOf(exchange), 1)
        else exchange.error = recordedError(error)
        throw error
      }
    }
    const { needsApproval, timeoutMs, canWait, isExternal } = tool
    const check = { '~check': tool['~check'] }
    return { metadata, takesArguments: true, needsApproval, timeoutMs, canWait, isExternal, ...check, call }
  }

  /** Returns the recording as data. */
  toDict(): RecordedRun {
    return {
      version: RECORDING_VERSION,
      metadata: this.metadata?.toDict() ?? null,
      tools: structuredClone(this.recordedTools),
      exchanges: structuredClone(this.exchanges),
    }
  }

  /** Returns the recording, for `JSON.stringify`. */
  toJSON(): RecordedRun {
    return this.toDict()
  }
}

/** Returns the answer as data. The raw answer of the provider is kept if it is JSON. */
function plainResponse(response: ChatResponse): unknown {
  let raw: unknown = null
  try {
    raw = JSON.parse(JSON.stringify(response.raw))
  } catch {
    // Live objects of a provider's library have no JSON form. The message is sufficient.
  }
  return { ...response.copy({ update: { raw: null } }).toDict(), raw }
}

function recordedError(error: unknown): RecordedError {
  const name = error instanceof Error ? error.name : 'Error'
  if (isToolkitError(error, 'tool_input')) return { name, message: error.message, issues: [...error.issues] }
  if (isToolkitError(error, 'model_call')) {
    const { kind, status, retryable, retryAfterMs } = error
    return { name, message: error.message, model_call: { kind, status, retryable, retry_after_ms: retryAfterMs } }
  }
  const inner = isToolkitError(error, 'tool_execution') && error.cause !== undefined ? error.cause : error
  return { name, message: errorMessage(inner) }
}
