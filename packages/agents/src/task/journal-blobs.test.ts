/// <reference types="node" />

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BaseLLM, ChatMessage, ChatResponse, LLMMetadata, type TaskStore } from '@x/core-model'
import { FileTaskStore } from '@x/storage/node'
import { describe, expect, it } from 'vitest'
import { functionCallingLlm, toolCall, toolCalls } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { journal } from '../journal.ts'
import { AgentTool } from '../tool/agent-tool.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { MemoryTaskStore } from './memory-task-store.ts'
import { journalEntries, readJournal } from './read-journal.ts'
import { expandJournal, OnceWriter } from './written-once.ts'

const PAGE = `\ud800${'page ü '.repeat(150_000)}`
const read = FunctionTool.fromDefaults({ name: 'read', schema: {}, fn: () => PAGE })
const later = FunctionTool.external({ name: 'later', schema: {} })
const turns = () => [[toolCall('a', 'read', {})], [toolCall('b', 'read', {})], [toolCall('c', 'later', {})], 'Done.']

/** Runs a task that waits, with its agent behind `levels` others. */
function agentOn(store: TaskStore, answers = turns(), levels = 0): FunctionCallingAgent {
  const taskStore = journal(store)
  const inner = FunctionCallingAgent.fromTools({
    llm: functionCallingLlm(answers as never),
    tools: [read, later],
    maxToolOutputTokens: null,
    ...(levels === 0 && { taskStore }),
  })
  if (levels === 0) return inner
  const llm = functionCallingLlm([[toolCall('x', 'agent', { input: 'Read!' })], 'All done.'])
  return FunctionCallingAgent.fromTools({ llm, tools: [new AgentTool({ agent: inner })], taskStore })
}

/** A store without blobs. */
const plain = (store: MemoryTaskStore): TaskStore => Object.assign(Object.create(store), { blobs: undefined })
const bytesOf = async (store: TaskStore, ids: readonly string[]) =>
  (await Promise.all(ids.map(async (id) => JSON.stringify(await store.load(id)).length))).reduce((a, b) => a + b)

describe('strings above 64 kB', () => {
  it.each([0, 1])('are stored once for all tasks, and a task continues with them, behind %i agents', async (levels) => {
    const store = new MemoryTaskStore()
    const ids = ['1', '2', '3']
    for (const taskId of ids)
      await agentOn(store, turns(), levels)
        .chat('Read!', { taskId })
        .catch(() => {})
    expect(await bytesOf(store, ids)).toBeLessThan(28_000)
    const all = JSON.stringify(Array.from((store as unknown as { contents: Map<string, object> }).contents.keys()))
    expect(JSON.parse(all)).toHaveLength(1)

    const other = plain(new MemoryTaskStore())
    for (const taskId of ids)
      await agentOn(other, turns(), levels)
        .chat('Read!', { taskId })
        .catch(() => {})
    expect(await bytesOf(other, ids)).toBeGreaterThan(3_000_000)

    const next = agentOn(store, ['Done.'] as never, levels)
    await next.resumeTask('2')
    const [call] = next.getPendingApprovals('2')
    await next.provideResult('2', call!.id, 'ok')
    if (levels > 0) return
    expect(String(await next.runTask('2'))).toBe('Done.')
    const sources = next.getCompletedSteps('2').at(-1)!.output as { sources: { content: string }[] }
    expect(sources.sources.map(({ content }) => content === PAGE)).toEqual([true, true, false])
    expect(JSON.stringify(await journalEntries(store, '2'))).toContain(JSON.stringify(PAGE))
  })

  it('are files that tasks share, and are deleted with the last of them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'blobs-'))
    const store = new FileTaskStore(folder)
    for (const taskId of ['1', '2'])
      await agentOn(store)
        .chat('Read!', { taskId })
        .catch(() => {})
    expect(await bytesOf(store, ['1', '2'])).toBeLessThan(28_000)
    expect(await readdir(join(folder, 'blobs'))).toHaveLength(1)
    await store.delete('1')
    expect(await readdir(join(folder, 'blobs'))).toHaveLength(1)
    const next = agentOn(new FileTaskStore(folder), ['Done.'] as never)
    await next.resumeTask('2')
    await store.delete('2')
    expect((await readdir(folder)).filter((name) => name !== 'blobs')).toEqual([])
    expect(await readdir(join(folder, 'blobs'))).toEqual([])
  })

  it('that are missing or changed are refused with their hash', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'blobs-'))
    const store = new FileTaskStore(folder)
    await agentOn(store)
      .chat('Read!', { taskId: 't' })
      .catch(() => {})
    const [hash] = await readdir(join(folder, 't.blobs'))
    const path = join(folder, 't.blobs', hash!)
    await writeFile(path, (await readFile(path, 'utf8')).replace('page', 'Page'))
    const agent = agentOn(store)
    const refused = (words: string) => ({ code: 'saved_task', message: expect.stringContaining(`${hash} ${words}`) })
    await expect(agent.resumeTask('t')).rejects.toMatchObject(refused('has changed'))
    await rm(path)
    await expect(agent.resumeTask('t')).rejects.toMatchObject(refused('is missing'))
  })

  it('are told from objects of users with the same form', () => {
    const writer = new OnceWriter(true)
    const own = { $n: { sha256: 'a'.repeat(64) } }
    const entries = [{ n: 0 }, { n: 1, value: { own, deep: { $n: { $n: own } }, text: 'x'.repeat(70_000) } }]
    const written = JSON.parse(JSON.stringify(entries.map((entry) => writer.write(entry))))
    expect(writer.blobs.size).toBe(1)
    const hashes: string[] = []
    const read = expandJournal(written, (hash) => {
      hashes.push(hash)
      return JSON.parse(writer.blobs.get(hash)!)
    })
    expect(read).toEqual(entries)
    expect(hashes).toEqual([...writer.blobs.keys()])
  })
})

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
