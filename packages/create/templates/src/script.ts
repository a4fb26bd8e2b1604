/** What an agent answers while there is no model. */
import { ChatMessage, messageText } from '@x/core-model'
import type { ScriptedAnswers } from '@x/llm/testing'

/** Returns a script that calls a tool, and then answers with the result. @param args - the arguments for a question. */
export function callTool(name: string, args: (question: string) => object): ScriptedAnswers {
  return (messages) => {
    const last = messages.at(-1)!
    if (last.role === 'tool') return `${messageText(last)} (a scripted answer)`
    const call = { id: `call-${messages.length}`, name, arguments: JSON.stringify(args(messageText(last))) }
    return new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { tool_calls: [call] } })
  }
}
