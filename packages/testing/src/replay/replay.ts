/**
 * @module
 * Repeats a recorded run without its model and tools.
 */

import { type AsyncBaseTool, ToolMetadata } from '@x/agents'
import { ToolExecutionError, ToolInputError } from '@x/agents/errors'
import { readToolOutput } from '@x/agents/store'
import { compactJson, deepEqual } from '@x/core/values'
import {
  type BaseLLM,
  type CallOptions,
  type ChatMessage,
  ChatResponse,
  LLMMetadata,
  NotSupportedError,
  type ToolOutput,
} from '@x/core-model'
import { ModelCallError } from '@x/llm'
import {
  RECORDING_VERSION,
  type RecordedError,
  type RecordedExchange,
  type RecordedRun,
  ReplayMismatchError,
} from './recording.ts'

/**
 * Provides a model and tools that return the answers of a recorded run. A request that differs from the recording throws.
 * @throws {ReplayMismatchError} if the data is not a recording of this version.
 * @example
 * import { ReActAgent } from '@x/agents'
 * const recording = new Recording()
 * const live = recording.llm(new ScriptedLLM({ answers: ['Answer: four'] }))
 * await ReActAgent.fromTools({ llm: live }).chat('How much is 2 + 2?')
 *
 * const replay = new Replay(JSON.parse(JSON.stringify(recording)))
 * const agent = ReActAgent.fromTools({ llm: replay.llm(), tools: replay.tools() })
 * String(await agent.chat('How much is 2 + 2?')) // => 'four'
 * replay.assertDone()
 */
export class Replay {
  private readonly run: RecordedRun
  /** The exchanges that were repeated. */
  private readonly done = new Set<RecordedExchange>()

  constructor(run: RecordedRun) {
    if (run?.version !== RECORDING_VERSION || !Array.isArray(run.exchanges) || !Array.isArray(run.tools)) {
      throw new ReplayMismatchError(
        `Replay: expected a recording of version ${RECORDING_VERSION}, received ${String(run?.version)}.`,
      )
    }
    this.run = run
  }

  /** Returns the model of the recording. */
  llm(): BaseLLM {
    const metadata = LLMMetadata.fromDict(this.run.metadata ?? {})
    const replay = this
    const refuse = () => {
      throw new NotSupportedError('Replay: recordings contain chats, not completions.')
    }
    return {
      metadata,
      async chat(messages, options) {
        const exchange = replay.nextChat(messages, options)
        if (exchange.error) throw toError(exchange.error)
        return ChatResponse.fromDict(exchange.responses[0])
      },
      async *streamChat(messages, options) {
        const exchange = replay.nextChat(messages, options)
        for (const chunk of exchange.responses) yield ChatResponse.fromDict(chunk)
        if (exchange.error) throw toError(exchange.error)
      },
      complete: refuse,
      streamComplete: refuse,
    }
  }

  /** Returns the tools of the recording. */
  tools(): AsyncBaseTool[] {
    return this.run.tools.map(({ name, description, parameters, return_direct }) => ({
      metadata: new ToolMetadata({ name, description, fnSchema: parameters, returnDirect: return_direct }),
      takesArguments: true as const,
      call: async (args: Record<string, unknown>) => this.nextTool(name ?? '', args),
    }))
  }

  /** @throws {ReplayMismatchError} if the run did not repeat everything in the recording. */
  assertDone(): void {
    const left = this.run.exchanges.filter((exchange) => !this.done.has(exchange))
    if (left.length > 0) {
      throw new ReplayMismatchError(
        `Replay: ${left.length} recorded exchanges were not repeated; the first is ${describe(left[0]!)}.`,
      )
    }
  }

  private nextChat(messages: readonly ChatMessage[], { signal: _, parentId: _p, ...options }: CallOptions = {}) {
    const next = this.run.exchanges.find((exchange) => !this.done.has(exchange))
    if (next?.kind !== 'chat') {
      throw new ReplayMismatchError(
        `Replay: expected ${next ? describe(next) : 'the end of the run'}, received a request to the model.`,
      )
    }
    const asked = {
      messages: messages.map((message) => message.toDict()),
      options: JSON.parse(JSON.stringify(options)),
    }
    const at = difference(asked, { messages: next.messages, options: next.options }, '')
    if (at) throw new ReplayMismatchError(`Replay: the request to the model differs from the recording. ${at}`)
    this.done.add(next)
    return next
  }

  /** Concurrent tools may be called in another order, so any call since the last chat matches. */
  private nextTool(name: string, args: Record<string, unknown>): ToolOutput {
    const left = this.run.exchanges.filter((exchange) => !this.done.has(exchange))
    const end = left.findIndex(({ kind }) => kind === 'chat')
    const open = (end < 0 ? left : left.slice(0, end)) as (RecordedExchange & { kind: 'tool' })[]
    const found = open.find((exchange) => exchange.name === name && deepEqual(exchange.arguments, args))
    if (!found) {
      const expected = open.map(describe).join(', ') || 'no tool call'
      throw new ReplayMismatchError(
        `Replay: expected ${expected}, received a call of tool "${name}" with ${compactJson(args)}.`,
      )
    }
    this.done.add(found)
    if (found.error) throw toError(found.error, name)
    return readToolOutput(found.output as Record<string, unknown>)
  }
}

function describe(exchange: RecordedExchange): string {
  return exchange.kind === 'chat'
    ? 'a request to the model'
    : `a call of "${exchange.name}" with ${compactJson(exchange.arguments)}`
}

function toError({ name, message, issues, model_call: call }: RecordedError, toolName?: string): Error {
  if (call) {
    const { kind, status, retryable, retry_after_ms: retryAfterMs } = call
    return new ModelCallError(message, { kind, status, retryable, retryAfterMs })
  }
  if (toolName !== undefined && name === 'ToolInputError') return new ToolInputError(toolName, issues ?? [])
  const error = Object.assign(new Error(message), { name })
  return toolName === undefined ? error : new ToolExecutionError(toolName, message, { cause: error })
}

/** Describes the first difference of two values, or returns undefined if they are equal. */
function difference(actual: unknown, expected: unknown, path: string): string | undefined {
  if (deepEqual(actual, expected)) return undefined
  if (typeof actual === 'object' && typeof expected === 'object' && actual !== null && expected !== null) {
    const [one, other] = [actual as Record<string, unknown>, expected as Record<string, unknown>]
    for (const key of new Set([...Object.keys(other), ...Object.keys(one)])) {
      const inner = difference(one[key], other[key], path === '' ? key : `${path}.${key}`)
      if (inner) return inner
    }
  }
  return `At ${path || 'the top'}: expected ${show(expected)}, received ${show(actual)}.`
}

function show(value: unknown): string {
  const text = compactJson(value) ?? 'nothing'
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
