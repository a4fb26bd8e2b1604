import type { ChatStore } from '@x/core-model'
import type { UIMessage } from 'ai'
import type { UIMessage as UIMessage5 } from 'ai-5-lowest'
import type { UIMessage as UIMessage6Lowest } from 'ai-6-lowest'
import type { UIMessage as UIMessage7Lowest } from 'ai-7-lowest'
import type { UIMessage as UIMessage6 } from 'ai-v6'
import { it } from 'vitest'
import { loadUIMessages } from './load-ui-messages.ts'
import type { UIMetadata } from './ui-message-stream.ts'

declare const chatStore: ChatStore

it('loadUIMessages returns messages of every version of the AI SDK, and of your own types of them', async () => {
  const messages = await loadUIMessages(chatStore, 'ann', 'c1')
  const v7: UIMessage[] = messages
  const v7Lowest: UIMessage7Lowest[] = messages
  const v6: UIMessage6[] = messages
  const v6Lowest: UIMessage6Lowest[] = messages
  const v5: UIMessage5[] = messages
  type Tools = { pay: { input: { euros: number }; output: string } }
  const own: UIMessage<UIMetadata, Record<string, never>, Tools>[] = messages
  const tokens: number | undefined = messages[0]?.metadata?.usage?.totalTokens
  // @ts-expect-error: a list of messages is no message
  const one: UIMessage = messages
  void [v7, v7Lowest, v6, v6Lowest, v5, own, tokens, one]
})
