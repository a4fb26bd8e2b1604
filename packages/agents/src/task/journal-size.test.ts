import { readFileSync } from 'node:fs'
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
    [200, 1000],
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
      taskStore: journal(taskStore),
    }).chat('x', {
      taskId: 't',
    })
    const entries = taskStore.load('t')!
    expect(size(entries.slice(1)) / 101).toBeLessThanOrEqual(most)
    expect(readJournal(entries).completed_steps).toHaveLength(101)
    expect(expandJournal(expandJournal(entries))).toEqual(expandJournal(entries))
  })

  it('of version 2 is continued, and then has the entry from which earlier versions refuse it', async () => {
    const entries = JSON.parse(readFileSync(new URL('../../test/journal-2.json', import.meta.url), 'utf8')) as object[]
    const taskStore = new MemoryTaskStore()
    taskStore.append('t', entries, 0)
    const effects: string[] = []
    const tool = (name: string, needsApproval = false) =>
      FunctionTool.fromDefaults({
        name,
        needsApproval,
        schema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
        fn: ({ to }, { idempotencyKey }) => {
          effects.push(`${name} ${idempotencyKey} ${to}`)
          return `${name} ${to}`
        },
      })
    const make = () =>
      FunctionCallingAgent.fromTools({
        llm: model(['look', 'send'], {}),
        tools: [tool('look'), tool('send', true)],
        taskStore: journal(taskStore),
      })
    const first = make()
    await first.resumeTask('t')
    expect(first.getCompletedSteps('t').map(String)).toEqual(['', 'Waiting for approval of: send'])
    await first.approve('t', first.getPendingApprovals('t')[0]!.id)
    const second = make()
    await second.resumeTask('t')
    expect(String(await second.runTask('t'))).toBe('Sent.')
    expect(effects).toEqual(['send t/2/0 Ann of Green Gables, Prince Edward Island'])
    const types = (taskStore.load('t') as { type: string }[]).map(({ type }) => type)
    expect(types.slice(entries.length)).toEqual([
      'version',
      'decision',
      'step_start',
      'result',
      ...types.slice(entries.length + 4),
    ])
    expect(types.filter((type) => type === 'version')).toHaveLength(1)
    await second.undoStep('t').catch(({ code }) => expect(code).toBe('task_finalized'))
  })

  it('of a later version is refused', () => {
    const entries = [
      ...(JSON.parse(readFileSync(new URL('../../test/journal-2.json', import.meta.url), 'utf8')) as object[]),
    ]
    expect(() => readJournal([...entries, { type: 'version', version: 4, n: entries.length }])).toThrow(
      `Entry ${entries.length}: Journal.version: expected one of 3, received 4.`,
    )
  })
})
