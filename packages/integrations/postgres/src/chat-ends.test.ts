// @module-tag system
import { describe, it } from 'vitest'
import { chatEnds } from '../../../chats/test/chat-ends.ts'
import { newDatabase } from '../test/new-database.ts'
import { PostgresChatStore } from './postgres-chat-store.ts'

describe('the next message of a chat in Postgres', () => {
  const checks = chatEnds(async () => ({ chatStore: new PostgresChatStore(await newDatabase()) }))
  for (const { name, run } of checks) it(name, run)
})
