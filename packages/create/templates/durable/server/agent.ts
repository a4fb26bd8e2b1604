/** The agent: `pay` needs approval. Each step is in `chat.db` before the next one starts, so any process that has the file continues it. */
import { FunctionCallingAgent, FunctionTool, keepWithin } from '@x/agents'
import { durableAgent } from '@x/durable'
import { modelOr } from './model.ts'
import { answerTo } from './script.ts'

/** What was paid, by key: a bank does this for you. */
const paid = new Map<string, { person: string; euros: number }>()

const pay = FunctionTool.fromDefaults({
  name: 'pay',
  title: 'Pay',
  description: 'Pays an amount to a person.',
  schema: {
    type: 'object',
    properties: { person: { type: 'string' }, euros: { type: 'number' }, purpose: { type: 'string' } },
    required: ['person', 'euros'],
  },
  needsApproval: true,
  // After a crash within this function it is called again with the same key: pass it to the bank.
  fn: ({ person, euros }, { idempotencyKey = '' }) => {
    paid.set(idempotencyKey, { person, euros })
    return { person, euros, key: idempotencyKey }
  },
})

/** The page shows their titles, and makes the form of an approval from the schema. */
export const tools = [pay]

const llm = modelOr(answerTo)

/** Makes the agent of a task, with what saves its steps. */
export const agentOf = durableAgent(
  () => ({
    llm,
    tools,
    systemPrompt: 'You make payments. Say what was paid, and with which key.',
    contextWindow: keepWithin(),
  }),
  FunctionCallingAgent,
)
