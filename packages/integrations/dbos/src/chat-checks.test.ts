// @module-tag system
import { DBOS } from '@dbos-inc/dbos-sdk'
import { SimpleChatStore } from '@x/core-model'
import { type CheckedAgent, type CheckedChat, chatChecks } from '@x/testing/chats'
import { afterAll, describe, it } from 'vitest'
import { checkedChat } from '../../../chats/test/checked-chat.ts'
import { launch } from '../test/launch.ts'
import { agentWorkflow } from './agent-workflow.ts'
import { DbosTasks } from './dbos-tasks.ts'

describe('a chat of DBOS', () => {
  let database: Awaited<ReturnType<typeof launch>> | undefined
  afterAll(() => database?.stop())
  let made: Promise<CheckedChat> | undefined
  const make = async (agent: CheckedAgent) => {
    const chatStore = new SimpleChatStore()
    database = await launch(
      () => void agentWorkflow({ dbos: DBOS, name: 'chat', agent, chatStore, streamEvents: true }),
    )
    await DBOS.registerQueue('chats', { workerConcurrency: 20, minPollingIntervalMs: 50 })
    const tasks = new DbosTasks({ dbos: DBOS, workflow: 'chat', queue: 'chats', pollingIntervalMs: 50 })
    // What runs in this process never goes on: the tool hangs. The next launch takes its workflow up, as another process does.
    const restart = async () => {
      await DBOS.shutdown()
      await DBOS.launch()
    }
    return checkedChat(agent, chatStore, { tasks, restart })
  }
  const checks = chatChecks((agent) => (made ??= make(agent)))
  for (const { name, run } of checks) it(name, run)
})
