// @module-tag system
import * as restate from '@restatedev/restate-sdk'
import { SimpleChatStore } from '@x/core-model'
import { MemoryEventLog } from '@x/durable'
import { type CheckedAgent, chatChecks } from '@x/testing/chats'
import { describe, it } from 'vitest'
import { checkedChat } from '../../../chats/test/checked-chat.ts'
import { useRestate } from '../test/deployment.ts'
import { agentWorkflow } from './index.ts'
import { RestateTasks, reportTo } from './restate-tasks.ts'

const use = useRestate()

describe('a chat of Restate', () => {
  const make = async (agent: CheckedAgent) => {
    const chatStore = new SimpleChatStore()
    const events = new MemoryEventLog()
    const onEvent = reportTo(events)
    const app = await use((name) => [agentWorkflow({ restate, name, agent, chatStore, onEvent })], undefined)
    const { ingress, name: service, endpoint, upgrade } = app
    const tasks = new RestateTasks({ ingress, service, events, pollingIntervalMs: 20 })
    // What runs in this process never goes on: the tool hangs. The server calls its workflow again.
    const restart = async () => {
      upgrade(undefined)
      endpoint.disconnect()
    }
    return checkedChat(agent, chatStore, { tasks, restart })
  }
  // Workflows cannot be run again.
  const checks = chatChecks(make, { retries: false })
  for (const { name, run } of checks) it(name, run)
})
