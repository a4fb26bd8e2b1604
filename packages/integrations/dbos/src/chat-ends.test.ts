// @module-tag system
import { DBOS } from '@dbos-inc/dbos-sdk'
import { SimpleChatStore } from '@x/core-model'
import { afterAll, describe, it } from 'vitest'
import { type AgentOf, chatEnds, type EndsOf } from '../../../chats/test/chat-ends.ts'
import { launch } from '../test/launch.ts'
import { agentWorkflow } from './agent-workflow.ts'
import { DbosTasks } from './dbos-tasks.ts'

describe('the next message of a chat of DBOS', () => {
  let database: Awaited<ReturnType<typeof launch>> | undefined
  afterAll(() => database?.stop())
  let made: Promise<EndsOf> | undefined
  const make = async (agent: AgentOf) => {
    const chatStore = new SimpleChatStore()
    database = await launch(
      () => void agentWorkflow({ dbos: DBOS, name: 'chat', agent, chatStore, streamEvents: true }),
    )
    await DBOS.registerQueue('chats', { workerConcurrency: 20, minPollingIntervalMs: 50 })
    return { chatStore, tasks: new DbosTasks({ dbos: DBOS, workflow: 'chat', queue: 'chats', pollingIntervalMs: 50 }) }
  }
  const checks = chatEnds((agent) => (made ??= make(agent)))
  for (const { name, run } of checks) it(name, run)
})
