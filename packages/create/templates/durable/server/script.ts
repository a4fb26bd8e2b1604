/** What the agent says while there is no model: so the page runs without a key. Delete this file when you have one. */
import { ChatMessage, messageText } from '@x/core-model'

/** Answers the last question: calls `pay`, then reports the result. */
export function answerTo(messages: readonly ChatMessage[]): string | ChatMessage {
  const last = messages.at(-1)!
  if (last.role === 'tool') return paymentAnswer(messageText(last))
  const question = messageText(last)
  if (!/\bpay\b.*\d/i.test(question)) return 'Say for example: **Pay Ann 20 EUR for order 7.** I ask before I pay.'
  const args = {
    person: /\bpay ([A-Z]\w+)/i.exec(question)?.[1] ?? 'Ann',
    euros: Number(/\d+/.exec(question)?.[0] ?? 20),
    purpose: /\bfor (.*?)\.?$/i.exec(question)?.[1] ?? '',
  }
  const tool_calls = [{ id: `call-${messages.length}`, name: 'pay', arguments: JSON.stringify(args) }]
  const content = 'I need your approval. **Kill me while I wait**: stop the server, start it again, and decide then.'
  return new ChatMessage({ role: 'assistant', content, additionalKwargs: { tool_calls } })
}

function paymentAnswer(result: string): string {
  if (!result.startsWith('{')) return 'Understood, I paid **nothing**.'
  const { person, euros, key } = JSON.parse(result)
  return `Paid **${euros} EUR** to ${person}, once, with the key \`…${key.slice(-12)}\`.`
}
