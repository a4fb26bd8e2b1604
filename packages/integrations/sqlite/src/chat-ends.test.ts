import { describe, it } from 'vitest'
import { chatEnds } from '../../../chats/test/chat-ends.ts'
import { SqliteChatStore } from './sqlite-chat-store.ts'
import { openDatabase } from './sqlite-database.ts'

describe('the next message of a chat in SQLite', () => {
  const checks = chatEnds(async () => ({ chatStore: new SqliteChatStore(await openDatabase(':memory:')) }))
  for (const { name, run } of checks) it(name, run)
})
