/** Calls of a script that talk to the agent. */
import type { ToolChoice } from '@x/agents'
import { argument, boolean, list, nullable, optional, type Read, shape, string } from '../../reader.ts'
import { type CallReader, call } from '../../script.ts'
import { message, messageOf, messageRecord } from '../../stand-ins/messages.ts'
import { answerForm } from './responses.ts'
import type { Stage } from './stage.ts'

const chat = shape({
  message: argument<string>(),
  chat_history: optional(nullable(list(message))),
  tool_choice: argument<ToolChoice | undefined>(),
})

function chatOptions({ chat_history: history, tool_choice: toolChoice }: Read<typeof chat>) {
  return {
    ...(history && { chatHistory: history.map(messageOf) }),
    ...(toolChoice !== undefined && { toolChoice }),
  }
}

const nothing = shape({})

/** Enters lines one by one, and collects the output of the agent. */
async function talk({ runner }: Stage, inputs: readonly string[], streaming: boolean) {
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

export const conversationCalls: Readonly<Record<string, CallReader<Stage>>> = {
  chat: call(chat, async ({ agent }, given) => answerForm(await agent.chat(given.message, chatOptions(given)))),

  stream_chat: call(chat, async ({ agent }, given) =>
    answerForm(await agent.streamChat(given.message, chatOptions(given))),
  ),

  query: call(shape({ query: argument<string>() }), async ({ agent }, { query }) => ({
    response: (await agent.query(query)).response,
  })),

  repl: call(shape({ inputs: list(string), streaming: optional(boolean) }), (stage, { inputs, streaming = false }) =>
    talk(stage, inputs, streaming),
  ),

  reset: call(nothing, ({ agent }) => agent.reset()),

  chat_history: call(nothing, ({ agent }) => agent.chatHistory.map(messageRecord)),
}
