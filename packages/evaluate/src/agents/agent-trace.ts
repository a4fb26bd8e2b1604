/**
 * @module
 * What an agent did in one run, collected from its events.
 */
import { callback, checkOption, required } from '@x/core/options'
import { jsonOr } from '@x/core/values'
import {
  addUsage,
  CallbackManager,
  type EventOutcome,
  type EventPayload,
  type EventPayloads,
  type EventType,
  type TokenUsage,
  type ToolDescription,
  usageOf,
} from '@x/core-model'

/** A call of a tool. */
export interface TracedCall {
  name: string
  /** The arguments: an object, or the text of the model if it is not JSON. */
  arguments: unknown
  isError: boolean
}

/** What an agent did in one run. It is plain JSON, to be stored as the expected run of a case. */
export interface AgentTrace {
  answer: string
  /** The calls of tools, in the order in which they started. */
  calls: TracedCall[]
  /** The number of calls of models. */
  modelCalls: number
  /** The tokens of all calls of models, as the providers reported them. */
  usage: TokenUsage
}

export const noUsage: TokenUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  reasoningTokens: 0,
  totalTokens: 0,
}

/**
 * Runs an agent and returns what it did. Works with everything that reports `llm` and `function_call` events to the callback manager.
 * @param run - makes the agent with this callback manager (an option of agents and models), runs it, and returns its answer.
 * @example
 * const llm = new ScriptedLLM({ answers: ['Paris'] })
 * const trace = await traceAgent((callbackManager) => llm.complete('Capital of France?', { callbackManager }))
 * trace.answer // => 'Paris'
 * trace.modelCalls // => 1
 */
export async function traceAgent(run: (callbackManager: CallbackManager) => Promise<unknown>): Promise<AgentTrace> {
  checkOption('traceAgent', 'run', run, required(callback))
  const calls = new Map<string, TracedCall>()
  let modelCalls = 0
  let usage = noUsage
  const handler = {
    onEventStart(type: EventType, payload: EventPayload | null, eventId: string) {
      if (type === 'llm') modelCalls++
      if (type !== 'function_call' || payload === null) return
      const { function_call: given, tool } = payload as EventPayloads['function_call']['start']
      calls.set(eventId, { name: nameOf(tool), arguments: argumentsOf(given), isError: false })
    },
    onEventEnd(type: EventType, payload: EventPayload | null, eventId: string, { failed }: EventOutcome) {
      const call = calls.get(eventId)
      if (call) call.isError = failed || (payload as { is_error?: boolean } | null)?.is_error === true
      if (type !== 'llm' || payload === null) return
      const { response, completion } = payload as EventPayloads['llm']['end']
      const answer = response ?? completion
      const used = answer ? usageOf(answer) : null
      if (used) usage = addUsage(usage, used)
    },
  }
  const answer = String(await run(new CallbackManager([handler])))
  return { answer, calls: [...calls.values()], modelCalls, usage }
}

/** The arguments as JSON: a model may write the same ones in different ways. */
function argumentsOf(given: Readonly<Record<string, unknown>> | string): unknown {
  return typeof given === 'string' ? jsonOr(given, given) : structuredClone(given)
}

/** A tool without a name throws when it is asked for it. */
function nameOf(tool: ToolDescription | undefined): string {
  try {
    return tool?.getName() ?? ''
  } catch {
    return ''
  }
}
