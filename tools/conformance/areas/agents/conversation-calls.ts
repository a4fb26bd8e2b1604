/** Calls of a script that talk to the agent. */
import type { ToolChoice } from '@x/agents'
import type { Calls } from '../../script.ts'
import { type MessageRecord, messageRecord, messagesOf } from '../../stand-ins/messages.ts'
import { answerForm } from './responses.ts'
import type { Stage } from './stage.ts'

interface Chat {
  message: string
  chatHistory?: MessageRecord[] | null
  toolChoice?: ToolChoice
}

function chatOptions({ chatHistory: history, toolChoice }: Chat) {
  return {
    ...(history && { chatHistory: messagesOf(history) }),
    ...(toolChoice !== undefined && { toolChoice }),
  }
}

/** Enters lines one by one, and collects the output of the agent. */
async function talk({ runner }: Stage, { inputs, streaming }: { inputs: string[]; streaming?: boolean }) {
  let prompts = 0
  let shown = ''
  const io = {
    input: () => inputs[prompts++],
    output: (text: string) => {
      shown += text
    },
  }
  await (streaming ? runner.streamingChatRepl(io) : runner.chatRepl(io))
  const replies = [...shown.matchAll(/Assistant: ([^\n]*)/g)].map(([, reply]) => reply)
  return { n_prompts: prompts, replies }
}

export const conversationCalls: Calls<Stage> = {
  chat: async ({ agent }, given: Chat) => answerForm(await agent.chat(given.message, chatOptions(given))),
  stream_chat: async ({ agent }, given: Chat) => answerForm(await agent.streamChat(given.message, chatOptions(given))),
  query: async ({ agent }, { query }: { query: string }) => ({ response: (await agent.query(query)).response }),
  repl: talk,
  reset: ({ agent }) => agent.reset(),
  chat_history: ({ agent }) => agent.chatHistory.map(messageRecord),
}
