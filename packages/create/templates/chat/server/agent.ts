/** The agent: two tools, of which `place_order` needs approval. Replace them with yours. */
import { FunctionCallingAgent, FunctionTool, keepWithin } from '@x/agents'
import { durableAgent } from '@x/durable'
import { modelOr } from './model.ts'
import { answerTo, prices } from './script.ts'

const price = FunctionTool.fromDefaults({
  name: 'look_up_price',
  title: 'Look up the price',
  description: 'Returns the price of one kilogram of a fruit, in euros.',
  schema: { type: 'object', properties: { fruit: { type: 'string' } }, required: ['fruit'] },
  fn: ({ fruit }) => ({ fruit, euros: prices[fruit] ?? null }),
})

const order = FunctionTool.fromDefaults({
  name: 'place_order',
  title: 'Place the order',
  description: 'Orders a fruit for a customer.',
  schema: {
    type: 'object',
    properties: {
      customer: { type: 'string' },
      fruit: { type: 'string', enum: Object.keys(prices) },
      kilograms: { type: 'number' },
    },
    required: ['customer', 'fruit', 'kilograms'],
  },
  needsApproval: true,
  // After a crash within this function it is called again with the same `idempotencyKey`: pass it to your shop.
  fn: ({ customer, fruit, kilograms }, { idempotencyKey = '' }) => {
    const euros = kilograms * (prices[fruit] ?? 0)
    return { order: idempotencyKey.replaceAll(/\W/g, '').slice(-6), customer, fruit, kilograms, euros }
  },
})

/** The page shows their titles, and makes the form of an approval from the schema. */
export const tools = [price, order]

const llm = modelOr(answerTo)

/** Makes the agent of a task, with what saves its steps. */
export const agentOf = durableAgent(
  () => ({
    llm,
    tools,
    systemPrompt: 'You are the assistant of an orchard. Look up prices before you name them.',
    contextWindow: keepWithin(),
  }),
  FunctionCallingAgent,
)
