/** What the programs share: a tool for each library, and the schema of an order. */
import { FunctionTool } from '@x/agents'
import { jsonSchema, tool } from 'ai'

const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } as const
const payment = { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] } as const

const schemaFor = <T>(schema: object) => jsonSchema<T>(schema)

/** The effects of the payments. */
export const paid: string[] = []

const look = ({ city }: { city: string }) => `It is dry in ${city}.`
const transfer = ({ to }: { to: string }) => {
  paid.push(to)
  return `${to} was paid.`
}

export const weather = FunctionTool.fromDefaults({
  name: 'weather',
  description: 'Says the weather.',
  schema: city,
  fn: look,
})
export const pay = FunctionTool.fromDefaults({ name: 'pay', schema: payment, needsApproval: true, fn: transfer })

export const weatherOfAiSdk = tool({
  description: 'Says the weather.',
  inputSchema: schemaFor<{ city: string }>(city),
  execute: look,
})
export const payOfAiSdk = tool({
  inputSchema: schemaFor<{ to: string }>(payment),
  needsApproval: true,
  execute: transfer,
})

export const order = {
  type: 'object',
  properties: { fruit: { type: 'string' }, count: { type: 'integer' } },
  required: ['fruit', 'count'],
  additionalProperties: false,
} as const

export const orderOfAiSdk = schemaFor<{ fruit: string; count: number }>(order)
export const questionOfAiSdk = schemaFor<{ input: string }>({
  type: 'object',
  properties: { input: { type: 'string' } },
})
export const factOfAiSdk = schemaFor<{ fact: string }>({ type: 'object', properties: { fact: { type: 'string' } } })
export const fileOfAiSdk = schemaFor<{ path: string; content: string }>({
  type: 'object',
  properties: { path: { type: 'string' }, content: { type: 'string' } },
})
export const todosOfAiSdk = schemaFor<{ todos: object[] }>({
  type: 'object',
  properties: { todos: { type: 'array', items: { type: 'object' } } },
})

/** A picture of one pixel. */
export const picture = 'data:image/png;base64,iVBORw0KGgo='
