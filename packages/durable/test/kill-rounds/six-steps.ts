/**
 * A task of six steps for tests that kill workers: five tool calls with an effect outside, then the answer. Its model is slow and never
 * repeats a call, so a lost answer causes an effect with different arguments under its key.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { FunctionTool, type ToolCallContext } from '@x/agents'
import { type BaseLLM, ChatMessage, ChatResponse, messageText } from '@x/core-model'
import { appendLine, chatModel, effectsByKey, linesIn, turnOf } from './effects.ts'

/** The number of effects of a task. */
export const EFFECTS_PER_TASK = 5

/** A call of the model or of a tool, with the time when it began and the process that made it. */
interface Call {
  at: number
  pid: number
}

/** An effect that happened outside, or a request to the model, with the outputs that it contained. */
type Line = Call & ({ key: string; what: string } | { model: number; seen: readonly string[] })

const call = (): Call => ({ at: Date.now(), pid: process.pid })

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
    const current = messages.slice(messages.findLastIndex(({ role }) => role === 'user'))
    const turn = turnOf(current)
    const seen = current.filter(({ role }) => role === 'tool').map(messageText)
    appendLine(file, { model: turn, seen, ...call() } satisfies Line)
    await work()
    return new ChatResponse({ message: replyTo(turn, seen, approvals && turn === 2 ? 'order' : 'pay') })
  })
  const tool = (name: string, needsApproval: boolean) =>
    FunctionTool.fromDefaults({
      name,
      needsApproval,
      schema: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
      fn: async ({ what }: { what: string }, { idempotencyKey = '' }: ToolCallContext<never>) => {
        const began = call()
        await work()
        appendLine(file, { key: idempotencyKey, what, ...began } satisfies Line)
        await work()
        return what
      },
    })
  return { llm, tools: [tool('pay', false), tool('order', true)] }
}

function replyTo(turn: number, seen: readonly string[], name: string): ChatMessage {
  if (turn >= EFFECTS_PER_TASK) return new ChatMessage({ role: 'assistant', content: answerTo(seen) })
  const tool_calls = [{ id: randomUUID(), name, arguments: JSON.stringify({ what: randomUUID() }) }]
  return new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { tool_calls } })
}

/** The answer of the model to these outputs. */
function answerTo(outputs: readonly string[]): string {
  return `Done: ${outputs.join(', ')}.`
}

/** Returns the number of calls so far, repeated ones included. */
export function countCalls(file: string): number {
  return linesIn<Line>(file).length
}

/** Returns the process that made the last call; undefined without a call. */
export function lastCaller(file: string): number | undefined {
  return linesIn<Line>(file).at(-1)?.pid
}

/** The answer of a task. */
export interface SixStepsAnswer {
  response: string
  /** The outputs of the tool. */
  sources: readonly { content?: unknown }[]
}

/** The comparison of the outside effects with the tasks. */
export interface SixStepsReport {
  /** Effects that are missing, and outputs that are missing in a task or differ from those of its effects. */
  lost: number
  /** Answers that are not the one to the effects. */
  wrongAnswers: number
  /** Effects under a key that also occurs with different arguments. */
  otherArguments: number
  /** Effects whose call began after the model had received their output, which was saved before. */
  repeatedSaved: number
  /** Effects that happened again under the same key with the same arguments. */
  repeatedEffects: number
  /** Requests to the model that were made again. */
  repeatedModelCalls: number
}

/**
 * Judges tasks that are finished.
 * @param answers - the answers by the ids of their tasks.
 */
export function judgeSixSteps(files: readonly string[], answers: ReadonlyMap<string, SixStepsAnswer>): SixStepsReport {
  const lines = files.flatMap((file) => linesIn<Line>(file))
  const effects = lines.filter((line) => 'key' in line)
  const { byKey, changed } = effectsByKey(effects)
  let lost = 0
  let wrongAnswers = 0
  for (const [taskId, { response, sources }] of answers) {
    const recorded = sources.map(({ content }) => String(content))
    const happened = [...byKey].filter(([key]) => key.startsWith(`${taskId}/`)).map(([, what]) => what)
    for (let i = 0; i < EFFECTS_PER_TASK; i++) if (happened[i] === undefined || recorded[i] !== happened[i]) lost++
    lost += Math.max(0, recorded.length - EFFECTS_PER_TASK) + Math.max(0, happened.length - EFFECTS_PER_TASK)
    if (response !== answerTo(happened)) wrongAnswers++
  }
  const seenAt = new Map<string, number>()
  for (const line of lines)
    if ('model' in line) for (const what of line.seen) seenAt.set(what, Math.min(line.at, seenAt.get(what) ?? line.at))
  return {
    lost,
    wrongAnswers,
    otherArguments: changed.length,
    repeatedSaved: effects.filter(({ what, at }) => at > (seenAt.get(what) ?? Number.POSITIVE_INFINITY)).length,
    repeatedEffects: effects.length - byKey.size,
    repeatedModelCalls: lines.length - effects.length - answers.size * (EFFECTS_PER_TASK + 1),
  }
}
