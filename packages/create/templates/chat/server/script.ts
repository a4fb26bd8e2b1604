/** What the agent says while there is no model: so the page runs without a key. Delete this file when you have one. */
import { ChatMessage, messageText } from '@x/core-model'

export const prices: Record<string, number> = { apples: 2.2, pears: 3.4, plums: 4.1, cherries: 7.5 }

/** A message that calls a tool. */
const call = (id: number, name: string, args: object, content = '') => {
  const tool_calls = [{ id: `call-${id}`, name, arguments: JSON.stringify(args) }]
  return new ChatMessage({ role: 'assistant', content, additionalKwargs: { tool_calls } })
}
const euros = (amount: number) => `${amount.toFixed(2)} EUR`

/** Answers the last question: looks up prices, then orders, if that was asked for. */
export function answerTo(messages: readonly ChatMessage[]): string | ChatMessage {
  const from = messages.findLastIndex(({ role }) => role === 'user')
  const question = messageText(messages[from]!)
  const results = messages
    .slice(from + 1)
    .filter(({ role }) => role === 'tool')
    .map((message) => messageText(message))
  const asked = Object.keys(prices).filter((fruit) => question.toLowerCase().includes(fruit))
  const fruits = asked.length > 0 ? asked : ['pears']
  const next = fruits[results.length]
  if (next !== undefined)
    return call(messages.length, 'look_up_price', { fruit: next }, results.length === 0 ? 'I look that up.' : '')
  if (results.length > fruits.length) return orderAnswer(results.at(-1)!)
  if (!/order|buy/i.test(question)) return priceAnswer(results.map((result) => JSON.parse(result)))
  const kilograms = Number(/\d+/.exec(question)?.[0] ?? 1)
  const customer = /\bfor ([A-Z]\w+)/.exec(question)?.[1] ?? 'Ann'
  const order = { customer, fruit: fruits[0], kilograms }
  return call(messages.length, 'place_order', order, 'I can order that. Please check it first.')
}

function priceAnswer(found: { fruit: string; euros: number }[]): string {
  const [first] = found
  if (found.length === 1)
    return `One kilogram of ${first!.fruit} costs **${euros(first!.euros)}** this week.\n\nA few hints:\n\n- They keep for a week in a cool place.\n- From 5 kg on, delivery is free.\n\nSay \`order 3 kg of ${first!.fruit}\`, and I prepare the order.`
  const rows = found.map((each) => `| ${each.fruit} | ${euros(each.euros)} |`).join('\n')
  const [cheapest] = found.toSorted((one, other) => one.euros - other.euros)
  return `These are the prices of this week:\n\n| Fruit | Price per kg |\n| --- | ---: |\n${rows}\n\nThe cheapest are **${cheapest!.fruit}**.`
}

function orderAnswer(result: string): string {
  if (!result.startsWith('{')) return 'Understood, I did **not** order anything. What shall I change?'
  const done = JSON.parse(result)
  return `Done. Order **${done.order}** is placed: ${done.kilograms} kg of ${done.fruit} for ${done.customer}, **${euros(done.euros)}**.\n\nIt arrives on Thursday before noon.`
}
