/**
 * @module
 * An agent that handles an order of a shop: looks up the stock, charges the customer, ships, writes a mail. Charging more than 100 needs an
 * approval.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { FunctionTool, type ToolCallContext } from '@x/agents'
import { type BaseLLM, ChatMessage, ChatResponse, LLMMetadata, messageText } from '@x/core-model'
import { durableAgent, type TaskRun } from '@x/durable'
import type { Shop } from './shop.ts'

/** Returns the text of an order. */
export const orderText = (number: number, amount: number) => `Order ${number}: pears for ${amount} EUR, for Ann.`

/**
 * A stand-in for a language model, so that the example runs offline: it reads the order and calls one tool per turn. Any model of an
 * integration takes its place.
 */
function standIn(slowMs: number): BaseLLM {
  const replyTo = (messages: readonly ChatMessage[]): ChatMessage => {
    const [, order = '?', amount = '0'] = /Order (\d+): .* (\d+) EUR/.exec(messageText(messages.at(0)!)) ?? []
    const turn = messages.filter(({ additionalKwargs }) => additionalKwargs['tool_calls']).length
    const requests: [name: string, args: object][] = [
      ['look_up_stock', { product: 'pears' }],
      ['charge', { order, amount: Number(amount) }],
      ['ship', { order }],
      ['write_mail', { to: 'Ann', about: `order ${order}` }],
    ]
    const request = requests[turn]
    if (!request) return new ChatMessage({ role: 'assistant', content: `Order ${order} is paid and on its way.` })
    const [name, args] = request
    const tool_calls = [{ id: `call-${turn}`, name, arguments: JSON.stringify(args) }]
    return new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { tool_calls } })
  }
  const think = () => pause(slowMs * (0.5 + Math.random()))
  const chat = async (messages: readonly ChatMessage[] | string): Promise<ChatResponse> => {
    await think()
    return new ChatResponse({ message: replyTo(messages as readonly ChatMessage[]) })
  }
  return {
    metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true }),
    chat,
    complete: () => Promise.reject(new Error('not used')),
    async *streamChat(messages) {
      await think()
      const message = replyTo(messages as readonly ChatMessage[])
      let content = ''
      for (const delta of messageText(message).split(/(?<= )/)) {
        content += delta
        await pause(slowMs / 10)
        if (content !== '') yield new ChatResponse({ message: message.copy({ update: { content } }), delta })
      }
      if (content === '') yield new ChatResponse({ message })
    },
    async *streamComplete() {},
  }
}

const text = { type: 'string' } as const
const number = { type: 'number' } as const

/** Returns the agent of a task. Its tools pass their idempotency key to the shop. */
export function orderAgent(run: TaskRun, shop: Shop, slowMs: number) {
  const deed = async (what: string, { idempotencyKey = '' }: ToolCallContext): Promise<string> => {
    shop.do(run.taskId, idempotencyKey, what)
    // If the worker is killed here, the effect has happened but is not recorded: the call is repeated.
    await pause(slowMs * Math.random())
    return what
  }
  const tools = [
    FunctionTool.fromDefaults({
      name: 'look_up_stock',
      schema: { type: 'object', properties: { product: text }, required: ['product'] },
      fn: async ({ product }) => {
        await pause(slowMs * Math.random())
        return `${product} are in stock`
      },
    }),
    FunctionTool.fromDefaults({
      name: 'charge',
      schema: { type: 'object', properties: { order: text, amount: number }, required: ['order', 'amount'] },
      needsApproval: ({ amount }: { amount: number }) => amount > 100,
      fn: ({ order, amount }, context: ToolCallContext) => deed(`charged ${amount} EUR for order ${order}`, context),
    }),
    FunctionTool.fromDefaults({
      name: 'ship',
      schema: { type: 'object', properties: { order: text }, required: ['order'] },
      fn: ({ order }, context: ToolCallContext) => deed(`shipped order ${order}`, context),
    }),
    FunctionTool.fromDefaults({
      name: 'write_mail',
      schema: { type: 'object', properties: { to: text, about: text }, required: ['to', 'about'] },
      fn: ({ to, about }, context: ToolCallContext) => deed(`wrote to ${to} about ${about}`, context),
    }),
  ]
  return durableAgent(() => ({ llm: standIn(slowMs), tools }))(run)
}
