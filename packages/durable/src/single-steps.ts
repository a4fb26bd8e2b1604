/**
 * @module
 * Steps that run alone, for engines that store a task after each of its steps.
 */

import type { AgentChatResponse, AgentEvent } from '@x/agents'
import { isHandledError } from '@x/agents/store'
import { checkGiven, checkOption, listOf, required, text as string } from '@x/core/options'
import type { Durable, Json } from '@x/core-model'
import type { WaitingAgent } from './task-decisions.ts'

/** Options of {@link runNextStep}, which are those of the step. */
interface NextStepOptions {
  signal?: AbortSignal | undefined
  context?: unknown
  /** Receives the events of the step. Answers are then streamed. */
  onEvent?: ((event: AgentEvent) => void) | undefined
}

/** The part of an agent that runs single steps. All runners have it. */
export interface SteppingAgent extends WaitingAgent {
  readonly defaultToolChoice?: unknown
  getCompletedSteps(taskId: string): readonly { isLast: boolean }[]
  runStep(taskId: string, options: NextStepOptions): Promise<{ isLast: boolean; output: unknown }>
  streamStep(taskId: string, options: NextStepOptions): Promise<{ isLast: boolean; output: unknown }>
  finalizeResponse(taskId: string): Promise<AgentChatResponse>
}

/**
 * Runs the next step of a task, and finalizes the task after the last one. While calls wait for decisions, no step runs. For an engine of
 * your own.
 * @returns the answer; undefined if the task is not finished.
 * @example
 * import { ReActAgent } from '@x/agents'
 * const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Answer: Four.'] }) })
 * await agent.createTask('How much is 2 + 2?', { taskId: 'sum' })
 * const answer = await runNextStep(agent, 'sum')
 * answer?.response // => 'Four.'
 */
export async function runNextStep(
  agent: SteppingAgent,
  taskId: string,
  options: NextStepOptions = {},
): Promise<AgentChatResponse | undefined> {
  checkOption('runNextStep', 'agent', agent, required('an agent', 'runStep'))
  checkOption('runNextStep', 'taskId', taskId, required(string))
  // A fork may have all steps of a task that is finished.
  const last = agent.getCompletedSteps(taskId).at(-1)
  let isLast = last?.isLast
  if (!isLast && agent.getPendingApprovals(taskId).length === 0) {
    const choice = last ? {} : { toolChoice: agent.defaultToolChoice }
    const step = await agent[options.onEvent ? 'streamStep' : 'runStep'](taskId, { ...options, ...choice })
    // An answer that is streamed has ended when this promise resolves.
    await (step.output as { done?: unknown } | null)?.done
    isLast = step.isLast
  }
  return isLast ? agent.finalizeResponse(taskId) : undefined
}

/**
 * Keeps the results of the calls of a step, so that a retry of the step repeats none of them. For your own engine.
 * @example
 * const results = new KeptResults()
 * const durable = results.port((_, call) => call())
 * await durable('step-1/model', async () => 'four')
 * results.forRetry() // => [['step-1/model', 'four']]
 */
export class KeptResults {
  private readonly results: Map<string, Json>

  /** @param saved - the results of the attempt before. @defaultValue none */
  constructor(saved?: Iterable<readonly [string, Json]>) {
    if (saved !== undefined) checkGiven('KeptResults', { saved }, listOf('a name and a result', '0'))
    this.results = new Map(saved)
  }

  /** Returns a port that makes no call whose result is kept, and keeps the results of the calls that `durable` makes. */
  port(durable: Durable): Durable {
    const { results } = this
    return async (name, fn) => {
      if (!results.has(name)) results.set(name, await durable(name, fn))
      return results.get(name) as never
    }
  }

  /** Returns the results after the step has failed, by the names of the calls. The call whose error ended the step is repeated. */
  forRetry(): [string, Json][] {
    const results = [...this.results]
    if (isHandledError(results.at(-1)?.[1])) results.pop()
    return results
  }
}
