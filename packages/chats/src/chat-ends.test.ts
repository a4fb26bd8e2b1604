import { MemoryTaskStore } from '@x/agents'
import { SimpleChatStore } from '@x/core-model'
import { StoredTasks } from '@x/durable'
import { FileChatStore } from '@x/storage/node'
import { afterAll, describe, it } from 'vitest'
import { chatEnds } from '../test/chat-ends.ts'

describe('the next message of a chat in memory', () => {
  for (const { name, run } of chatEnds(() => ({ chatStore: new SimpleChatStore() }))) it(name, run)
})

describe('the next message of a chat in a file', () => {
  for (const { name, run } of chatEnds(() => ({ chatStore: new FileChatStore() }))) it(name, run)
})

describe('the next message of a chat of durable tasks', () => {
  const started: StoredTasks[] = []
  afterAll(async () => {
    for (const tasks of started) await tasks.stop()
  })
  const checks = chatEnds(async (agent) => {
    const chatStore = new SimpleChatStore()
    const tasks = new StoredTasks({ store: new MemoryTaskStore(), chatStore, agent, pollingIntervalMs: 10 })
    started.push(tasks)
    await tasks.start()
    return { chatStore, tasks }
  })
  for (const { name, run } of checks) it(name, run)
})
