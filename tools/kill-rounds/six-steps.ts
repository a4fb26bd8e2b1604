/**
 * A task of six steps for tests that kill workers: five tool calls with an effect outside, then the answer. Its model is slow and never
 * repeats an answer, so a lost answer causes an effect with different arguments under its key.
 */
import { randomUUID } from 'node:crypto'
import { appendFileSync, closeSync, existsSync, fsyncSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { FunctionTool, type ToolCallContext } from '@x/agents'
import { type BaseLLM, ChatMessage, ChatResponse, LLMMetadata } from '@x/core-model'

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
  const chat = async (messages: readonly ChatMessage[] | string): Promise<ChatResponse> => {
    if (typeof messages === 'string') throw new Error('not used')
    const task = messages.slice(messages.findLastIndex(({ role }) => role === 'user'))
    const turn = task.filter(({ role, additionalKwargs }) => role === 'assistant' && additionalKwargs['tool_calls'])
    record(file, { model: turn.length })
    await work()
    return new ChatResponse({ message: replyTo(turn.length, approvals && turn.length === 2 ? 'order' : 'pay') })
  }
  const llm: BaseLLM = {
    metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true }),
    chat,
    complete: () => Promise.reject(new Error('not used')),
    async *streamChat(messages) {
      yield await chat(messages)
    },
    async *streamComplete() {},
  }
  const tool = (name: string, needsApproval: boolean) =>
    FunctionTool.fromDefaults({
      name,
      needsApproval,
      schema: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
      fn: async ({ what }: { what: string }, { idempotencyKey = '' }: ToolCallContext<never>) => {
        await work()
        record(file, { key: idempotencyKey, what })
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

/** Appends a line that outlives the process. */
function record(file: string, line: Line): void {
  appendFileSync(file, `${JSON.stringify(line)}\n`)
  const handle = openSync(file, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

/** Reads the effects. A killed process may leave a part of a line: that effect did not happen. */
function linesIn(file: string): Line[] {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line)
}

/** Returns the number of effects so far, repeated ones included. */
export function countEffects(file: string): number {
  return linesIn(file).filter((line) => 'key' in line).length
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
  const lines = linesIn(file)
  const effects = lines.filter((line) => 'key' in line)
  const byKey = new Map<string, string>()
  let otherArguments = 0
  for (const { key, what } of effects) {
    if ((byKey.get(key) ?? what) !== what) otherArguments++
    byKey.set(key, what)
  }
  let lost = 0
  for (const [taskId, recorded] of outputs) {
    const happened = [...byKey].filter(([key]) => key.startsWith(`${taskId}/`)).map(([, what]) => what)
    for (let i = 0; i < EFFECTS_PER_TASK; i++) if (happened[i] === undefined || recorded[i] !== happened[i]) lost++
    lost += Math.max(0, recorded.length - EFFECTS_PER_TASK) + Math.max(0, happened.length - EFFECTS_PER_TASK)
  }
  return {
    lost,
    otherArguments,
    repeatedEffects: effects.length - byKey.size,
    repeatedModelCalls: lines.length - effects.length - outputs.size * (EFFECTS_PER_TASK + 1),
  }
}
