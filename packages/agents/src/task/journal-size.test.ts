import { type BaseLLM, ChatMessage, ChatResponse, LLMMetadata } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { toolCall, toolCalls } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { journal } from '../journal.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { MemoryTaskStore } from './memory-task-store.ts'
import { readJournal } from './read-journal.ts'
import { expandJournal } from './written-once.ts'

/** A model that calls the tools one after the other, each with the same arguments. */
function model(tools: readonly string[], args: object): BaseLLM {
  const chat = async (messages: readonly ChatMessage[]) => {
    const turn = messages.filter(({ role }) => role === 'assistant').length
    const message =
      turn < tools.length
        ? toolCalls(toolCall(`c${turn}`, tools[turn]!, args))
        : new ChatMessage({ role: 'assistant', content: 'Sent.' })
    return new ChatResponse({ message })
  }
  const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true, contextWindow: null })
  return { metadata, chat } as unknown as BaseLLM
}

const size = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

describe('the journal of a task', () => {
  it.each([
    [200, 1650],
    [50_000, 52_000],
  ])('needs for a step whose output has %i characters at most %i bytes', async (length, most) => {
    const taskStore = new MemoryTaskStore()
    let calls = 0
    const look = FunctionTool.fromDefaults({
      name: 't',
      schema: { type: 'object', properties: { i: { type: 'integer' } } },
      fn: () => `${++calls}`.padEnd(length, '.'),
    })
    const llm = model(
      Array.from({ length: 100 }, () => 't'),
      { i: 1 },
    )
    await FunctionCallingAgent.fromTools({
      llm,
      tools: [look],
      maxIterations: 200,
      maxToolOutputTokens: null,
      taskStore: journal(taskStore),
    }).chat('x', {
      taskId: 't',
    })
    const entries = taskStore.load('t')!
    expect(size(entries.slice(1)) / 101).toBeLessThanOrEqual(most)
    expect(readJournal(entries).completed_steps).toHaveLength(101)
    expect(expandJournal(expandJournal(entries))).toEqual(expandJournal(entries))
  })
})
