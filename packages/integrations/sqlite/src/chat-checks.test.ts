import { chatChecks } from '@x/testing/chats'
import { describe, it } from 'vitest'
import { checkedChat } from '../../../chats/test/checked-chat.ts'
import { SqliteChatStore } from './sqlite-chat-store.ts'
import { openDatabase } from './sqlite-database.ts'

describe('a chat in SQLite', () => {
  const checks = chatChecks(async (agent) => checkedChat(agent, new SqliteChatStore(await openDatabase(':memory:'))))
  for (const { name, run } of checks) it(name, run)
})
