/**
 * A task of six steps for tests that kill workers: five tool calls with an effect outside, then the answer. Its model is slow and never
 * says the same again, so an answer that is lost shows as an effect with other arguments under its key.
 */
import { randomUUID } from 'node:crypto'
import { appendFileSync, closeSync, existsSync, fsyncSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { FunctionTool, type ToolCallContext } from '@x/agents'
import { type BaseLLM, ChatMessage, ChatResponse, LLMMetadata } from '@x/core-model'

/** The number of effects of a task. */
const EFFECTS_PER_TASK = 5

/** An effect that happened outside, or a request to the model. */
type Line = { key: string; what: string } | { model: number }

/** The model and the tool of a task, which write what they do into a file. Each waits for up to `slowMs` before and after. */
export function sixSteps(file: string, { slowMs = 60 } = {}): { llm: BaseLLM; tools: FunctionTool[] } {
  const work = () => pause(Math.random() * slowMs)
  const chat = async (messages: readonly ChatMessage[] | string): Promise<ChatResponse> => {
    if (typeof messages === 'string') throw new Error('not used')
    const turn = messages.filter(({ role, additionalKwargs }) => role === 'assistant' && additionalKwargs['tool_calls'])
    record(file, { model: turn.length })
    await work()
    return new ChatResponse({ message: replyTo(turn.length) })
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
  const pay = FunctionTool.fromDefaults({
    name: 'pay',
    schema: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
    fn: async ({ what }: { what: string }, { idempotencyKey = '' }: ToolCallContext<never>) => {
      await work()
      record(file, { key: idempotencyKey, what })
      await work()
      return what
    },
  })
  return { llm, tools: [pay] }
}

function replyTo(turn: number): ChatMessage {
  if (turn >= EFFECTS_PER_TASK) return new ChatMessage({ role: 'assistant', content: `Done ${randomUUID()}.` })
  const tool_calls = [{ id: randomUUID(), name: 'pay', arguments: JSON.stringify({ what: randomUUID() }) }]
  return new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { tool_calls } })
}

/** Appends a line that outlives the process. */
function record(file: string, line: Line): void {
  appendFileSync(file, `${JSON.stringify(line)}\n`)
  const handle = openSync(file, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

/** What happened outside, compared with what the tasks say. */
export interface SixStepsReport {
  /** Effects that are missing, and outputs that a task does not have or that are not those of its effects. */
  lost: number
  /** Effects under a key that has other arguments elsewhere. */
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
  // A process that is killed may leave a part of a line: that effect did not happen.
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const lines = text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line)
  const effects = lines.filter((line) => 'key' in line)
  const byKey = new Map<string, string>()
  let otherArguments = 0
  for (const { key, what } of effects) {
    if ((byKey.get(key) ?? what) !== what) otherArguments++
    byKey.set(key, what)
  }
  let lost = 0
  for (const [taskId, recorded] of outputs) {
    const happened = Array.from({ length: EFFECTS_PER_TASK }, (_, i) => byKey.get(`${taskId}/${i + 1}/0`))
    lost += happened.filter((what, i) => what === undefined || recorded[i] !== what).length
    lost += Math.max(0, recorded.length - EFFECTS_PER_TASK)
  }
  return {
    lost,
    otherArguments,
    repeatedEffects: effects.length - byKey.size,
    repeatedModelCalls: lines.length - effects.length - outputs.size * (EFFECTS_PER_TASK + 1),
  }
}
