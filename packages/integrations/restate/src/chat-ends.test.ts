// @module-tag system
import * as restate from '@restatedev/restate-sdk'
import { SimpleChatStore } from '@x/core-model'
import { MemoryEventLog } from '@x/durable'
import { describe, it } from 'vitest'
import { type AgentOf, chatEnds } from '../../../chats/test/chat-ends.ts'
import { useRestate } from '../test/deployment.ts'
import { agentWorkflow } from './index.ts'
import { RestateTasks, reportTo } from './restate-tasks.ts'

const use = useRestate()

describe('the next message of a chat of Restate', () => {
  const make = async (agent: AgentOf) => {
    const chatStore = new SimpleChatStore()
    const events = new MemoryEventLog()
    const onEvent = reportTo(events)
    const app = await use((name) => [agentWorkflow({ restate, name, agent, chatStore, onEvent })], undefined)
    const { ingress, name: service } = app
    const tasks = new RestateTasks({ ingress, service, events, pollingIntervalMs: 20 })
    return { chatStore, tasks }
  }
  // Workflows cannot be run again.
  const checks = chatEnds(make, { retries: false })
  for (const { name, run } of checks) it(name, run)
})
