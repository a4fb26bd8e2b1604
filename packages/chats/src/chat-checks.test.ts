import { SimpleChatStore } from '@x/core-model'
import { describe, it } from 'vitest'
import { chatChecks } from '../../testing/src/chats.ts'
import { checkedChat } from '../test/checked-chat.ts'

// Other stores, engines and broken ones are in the tests of `@x/testing`.
describe('a chat in memory', () => {
  for (const { name, run } of chatChecks((agent) => checkedChat(agent, new SimpleChatStore()))) it(name, run)
})
