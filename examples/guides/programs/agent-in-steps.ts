/**
 * An agent on an engine that runs a function again from its beginning and returns the saved results of its steps: Inngest, Trigger.dev, the
 * Workflow SDK, Temporal and others.
 */
import {
  applyToolDecision,
  type FunctionCallingAgent,
  type JournalPort,
  journalPort,
  type ToolDecision,
} from '@x/agents'
import { isToolkitError, type Json, readJsonText, ToolkitError, writeJsonText } from '@x/core-model'

/** What the engine has to offer. */
export interface StepEngine {
  /** Runs `fn` once and saves its result under a name; returns the saved result when the function is run again. */
  step(name: string, fn: () => Promise<string>): Promise<string>
  /** Waits for the decision about a call, for days if needed. It is a saved step too. */
  decision(callId: string): Promise<ToolDecision>
}

/** What an agent needs, so that each run does the same. */
export type StepAgentOptions = { durable: JournalPort; newId: () => string; now: () => number }

/** Runs one task of an agent to its end. @param id - of the run of the engine; the id of the task. */
export async function runInSteps(
  { step, decision }: StepEngine,
  agentOf: (options: StepAgentOptions) => FunctionCallingAgent,
  { id, question, startedAt }: { id: string; question: string; startedAt: number },
): Promise<string> {
  const durable = journalPort(async (name, fn) => {
    const { value, error } = readJsonText(await step(name, () => resultOf(fn))) as unknown as StepResult
    if (error) throw new ToolkitError(error.name, error.code, error.message)
    return value as never
  })
  let ids = 0
  const agent = agentOf({ durable, newId: () => `${id}-${ids++}`, now: () => startedAt })
  await agent.createTask(question, { taskId: id })
  for (;;) {
    try {
      return String(await agent.runTask(id))
    } catch (error) {
      if (!isToolkitError(error, 'approval_required')) throw error
      for (const call of error.calls) await applyToolDecision(agent, id, await decision(call.id))
    }
  }
}

/** The result of a step: that of the call, or an error that another attempt would repeat. */
interface StepResult {
  value?: Json
  error?: { name: string; code: string; message: string }
}

/** Makes a call. The engine repeats a step that throws, so that an error that is not retryable is a result. */
async function resultOf(fn: () => Promise<Json>): Promise<string> {
  try {
    return writeJsonText({ value: await fn() })
  } catch (error) {
    if (!isToolkitError(error) || error.retryable) throw error
    const { name, code, message } = error
    return writeJsonText({ error: { name, code, message } })
  }
}
