/**
 * @module
 * Runs an agent on the cases of a data set, and compares each run with the recorded one.
 */
import { ConfigurationError } from '@x/core'
import {
  callback,
  callOptions,
  checkOptions,
  group,
  list,
  type OptionTable,
  required,
  wholeNumber,
} from '@x/core/options'
import { addUsage, type CallbackManager, type Durable, type TokenUsage } from '@x/core-model'
import { resultsOf, saved } from '../run.ts'
import { type AgentTrace, noUsage, traceAgent } from './agent-trace.ts'
import { type AgentTolerance, compareTraces, type TraceDifference, toleranceTable } from './compare-traces.ts'

/** A question to an agent, with the run that is right. It is plain JSON. */
export interface AgentCase {
  /** Unique in the data set. */
  id: string
  question: string
  /** The recorded run; absent while the case is new. */
  recorded?: AgentTrace | null | undefined
}

/** The options of {@link evaluateAgent}. */
interface EvaluateAgentOptions {
  cases: readonly AgentCase[]
  /** Makes an agent with this callback manager, asks it the question, and returns its answer. */
  run: (question: string, callbackManager: CallbackManager, signal: AbortSignal | undefined) => Promise<unknown>
  /** How far a run may differ from the recorded one. @defaultValue answers and calls are equal */
  tolerance?: AgentTolerance | undefined
  /** Saves each run under `agent/<id>/<hash of the question>`, so that an evaluation that was killed continues. */
  durable?: Durable | undefined
  /** The number of cases at the same time. @defaultValue 1 */
  maxConcurrency?: number | undefined
  signal?: AbortSignal | undefined
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined
}

const optionTable: OptionTable<EvaluateAgentOptions> = {
  cases: required(list),
  run: required(callback),
  tolerance: group(toleranceTable),
  durable: callback,
  maxConcurrency: wholeNumber(1),
  signal: callOptions.signal,
  onProgress: callback,
}

/** The result of one case. */
export interface AgentCaseResult {
  id: string
  question: string
  /** `new` for a case without a recorded run, `failed` when the agent threw an error. */
  outcome: 'same' | 'different' | 'new' | 'failed'
  differences: TraceDifference[]
  /** What the agent did; null if it threw an error. */
  trace: AgentTrace | null
  /** The message of the error. */
  error: string | null
}

/** What runs cost. */
interface AgentCost {
  modelCalls: number
  toolCalls: number
  usage: TokenUsage
}

/** The result of {@link evaluateAgent}. It is plain JSON. */
export interface AgentEvaluation {
  /** The number of cases by outcome. */
  outcomes: Record<AgentCaseResult['outcome'], number>
  /** What the runs cost. */
  cost: AgentCost
  /** What the recorded runs of the cases cost. */
  recordedCost: AgentCost
  results: AgentCaseResult[]
}

/**
 * Runs an agent on each case and compares the run with the recorded one: answer, calls of tools, calls of models, and tokens. A case
 * without a recorded run is `new`: keep its `trace` as `recorded` once you have read it. A run that throws an error is `failed`, and the
 * others continue.
 * @throws {ConfigurationError} if two cases have the same id.
 * @example
 * const llm = new ScriptedLLM({ answers: ['4', '5'] })
 * const run = (question: string, callbackManager: CallbackManager) => llm.complete(question, { callbackManager })
 * const first = await evaluateAgent({ cases: [{ id: 'a', question: 'How much is 2 + 2?' }], run })
 * const cases = first.results.map(({ id, question, trace }) => ({ id, question, recorded: trace }))
 * const second = await evaluateAgent({ cases, run })
 * second.outcomes // => { same: 0, different: 1, new: 0, failed: 0 }
 * second.results[0]?.differences // => [{ what: 'answer', expected: '4', received: '5' }]
 */
export async function evaluateAgent(options: EvaluateAgentOptions): Promise<AgentEvaluation> {
  checkOptions('evaluateAgent', options, optionTable)
  const { cases, maxConcurrency = 1 } = options
  const ids = new Set<string>()
  for (const { id } of cases) {
    if (ids.has(id)) throw new ConfigurationError(`evaluateAgent: two cases have the id "${id}"; ids must be unique.`)
    ids.add(id)
  }
  const results = await resultsOf(cases, maxConcurrency, options, (one) => runCase(one, options))
  const count = (outcome: AgentCaseResult['outcome']) => results.filter((result) => result.outcome === outcome).length
  return {
    outcomes: { same: count('same'), different: count('different'), new: count('new'), failed: count('failed') },
    cost: costOf(results.map(({ trace }) => trace)),
    recordedCost: costOf(cases.map(({ recorded = null }) => recorded)),
    results,
  }
}

async function runCase(
  { id, question, recorded }: AgentCase,
  { run, tolerance, durable, signal }: EvaluateAgentOptions,
): Promise<AgentCaseResult> {
  // As text, so that a run that is read back equals one that was just made.
  const traced = async () =>
    JSON.stringify(await traceAgent((callbackManager) => run(question, callbackManager, signal)))
  let trace: AgentTrace
  try {
    trace = JSON.parse(await saved(durable, `agent/${id}`, () => question, traced))
  } catch (error) {
    signal?.throwIfAborted()
    return { id, question, outcome: 'failed', differences: [], trace: null, error: String(error) }
  }
  const differences = recorded ? await compareTraces(recorded, trace, tolerance) : []
  const outcome = !recorded ? 'new' : differences.length === 0 ? 'same' : 'different'
  return { id, question, outcome, differences, trace, error: null }
}

function costOf(traces: readonly (AgentTrace | null)[]): AgentCost {
  const known = traces.filter((trace) => trace !== null)
  return {
    modelCalls: known.reduce((sum, { modelCalls }) => sum + modelCalls, 0),
    toolCalls: known.reduce((sum, { calls }) => sum + calls.length, 0),
    usage: known.reduce((sum, { usage }) => addUsage(sum, usage), noUsage),
  }
}
