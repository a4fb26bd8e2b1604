/**
 * A task of six steps for tests that kill workers: five tool calls with an effect outside, then the answer. Its model is slow and never
 * repeats an answer, so a lost answer causes an effect with different arguments under its key.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { FunctionTool, type ToolCallContext } from '@x/agents'
import { type BaseLLM, ChatMessage, ChatResponse } from '@x/core-model'
import { appendLine, chatModel, effectsByKey, linesIn, turnOf } from './effects.ts'

/** The number of effects of a task. */
export const EFFECTS_PER_TASK = 5

/** An effect that happened outside, or a request to the model. */
type Line = { key: string; what: string } | { model: number }

/**
 * The model and the tools of a task, which write what they do into a file. Each waits for up to `slowMs` before and after.
 * @param options.approvals - whether the third effect needs an approval.
 */
export function sixSteps(
  file: string,
  { slowMs = 60, approvals = false } = {},
): { llm: BaseLLM; tools: FunctionTool[] } {
  const work = () => pause(Math.random() * slowMs)
  const llm = chatModel(async (messages) => {
    const turn = turnOf(messages.slice(messages.findLastIndex(({ role }) => role === 'user')))
    appendLine(file, { model: turn } satisfies Line)
    await work()
    return new ChatResponse({ message: replyTo(turn, approvals && turn === 2 ? 'order' : 'pay') })
  })
  const tool = (name: string, needsApproval: boolean) =>
    FunctionTool.fromDefaults({
      name,
      needsApproval,
      schema: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
      fn: async ({ what }: { what: string }, { idempotencyKey = '' }: ToolCallContext<never>) => {
        await work()
        appendLine(file, { key: idempotencyKey, what } satisfies Line)
        await work()
        return what
      },
    })
  return { llm, tools: [tool('pay', false), tool('order', true)] }
}

function replyTo(turn: number, name: string): ChatMessage {
  if (turn >= EFFECTS_PER_TASK) return new ChatMessage({ role: 'assistant', content: `Done ${randomUUID()}.` })
  const tool_calls = [{ id: randomUUID(), name, arguments: JSON.stringify({ what: randomUUID() }) }]
  return new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { tool_calls } })
}

/** Returns the number of effects so far, repeated ones included. */
export function countEffects(file: string): number {
  return linesIn<Line>(file).filter((line) => 'key' in line).length
}

/** The comparison of the outside effects with the tasks. */
export interface SixStepsReport {
  /** Effects that are missing, and outputs that are missing in a task or differ from those of its effects. */
  lost: number
  /** Effects under a key that also occurs with different arguments. */
  otherArguments: number
  /** Effects that happened again under the same key with the same arguments. */
  repeatedEffects: number
  /** Requests to the model that were made again. */
  repeatedModelCalls: number
}

/**
 * Judges tasks that are finished.
 * @param outputs - for each task id, the outputs of its tool as the answer has them.
 */
export function judgeSixSteps(file: string, outputs: ReadonlyMap<string, readonly string[]>): SixStepsReport {
  const lines = linesIn<Line>(file)
  const effects = lines.filter((line) => 'key' in line)
  const { byKey, changed } = effectsByKey(effects)
  let lost = 0
  for (const [taskId, recorded] of outputs) {
    const happened = [...byKey].filter(([key]) => key.startsWith(`${taskId}/`)).map(([, what]) => what)
    for (let i = 0; i < EFFECTS_PER_TASK; i++) if (happened[i] === undefined || recorded[i] !== happened[i]) lost++
    lost += Math.max(0, recorded.length - EFFECTS_PER_TASK) + Math.max(0, happened.length - EFFECTS_PER_TASK)
  }
  return {
    lost,
    otherArguments: changed.length,
    repeatedEffects: effects.length - byKey.size,
    repeatedModelCalls: lines.length - effects.length - outputs.size * (EFFECTS_PER_TASK + 1),
  }
}
