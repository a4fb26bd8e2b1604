// @module-tag system
import { chatChecks } from '@x/testing/chats'
import { describe, it } from 'vitest'
import { checkedChat } from '../../../chats/test/checked-chat.ts'
import { newDatabase } from '../test/new-database.ts'
import { PostgresChatStore } from './postgres-chat-store.ts'

describe('a chat in Postgres', () => {
  const checks = chatChecks(async (agent) => checkedChat(agent, new PostgresChatStore(await newDatabase())))
  for (const { name, run } of checks) it(name, run)
})
