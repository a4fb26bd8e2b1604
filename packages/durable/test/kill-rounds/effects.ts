/** What the agents that are killed have in common: a model of one function, and effects outside that outlive the process. */
import { appendFileSync, closeSync, existsSync, fsyncSync, openSync, readFileSync } from 'node:fs'
import { type BaseLLM, type ChatMessage, type ChatResponse, LLMMetadata } from '@x/core-model'

/** A model with tool calls that answers with a function. */
export function chatModel(answer: (messages: readonly ChatMessage[]) => Promise<ChatResponse>): BaseLLM {
  const unused = () => Promise.reject(new Error('not used'))
  const chat = (messages: readonly ChatMessage[] | string) =>
    typeof messages === 'string' ? unused() : answer(messages)
  return {
    metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true }),
    chat,
    complete: unused,
    async *streamChat(messages) {
      yield await chat(messages)
    },
    async *streamComplete() {},
  }
}

/** How many turns of calls the messages contain: the number of the turn that the model is to answer. */
export function turnOf(messages: readonly ChatMessage[]): number {
  return messages.filter(({ role, additionalKwargs }) => role === 'assistant' && additionalKwargs['tool_calls']).length
}

/** Appends a line that outlives the process. */
export function appendLine(file: string, line: object): void {
  appendFileSync(file, `${JSON.stringify(line)}\n`)
  const handle = openSync(file, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

/** Reads the lines of a file. A killed process may leave a part of a line: that effect did not happen. */
export function linesIn<Line>(file: string): Line[] {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line)
}

/** Effects, in the order in which they happened, by their idempotency keys; `changed` are those whose key had other arguments before. */
export function effectsByKey(effects: readonly { key: string; what: string }[]): {
  byKey: Map<string, string>
  changed: { key: string; before: string; what: string }[]
} {
  const byKey = new Map<string, string>()
  const changed: { key: string; before: string; what: string }[] = []
  for (const { key, what } of effects) {
    const before = byKey.get(key) ?? what
    if (before !== what) changed.push({ key, before, what })
    byKey.set(key, what)
  }
  return { byKey, changed }
}
