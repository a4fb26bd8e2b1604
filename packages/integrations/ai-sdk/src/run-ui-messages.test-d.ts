import { FunctionTool, ReActAgent, type ToolCallContext } from '@x/agents'
import type { BaseLLM } from '@x/core-model'
import { it } from 'vitest'
import { runUIMessages } from './run-ui-messages.ts'

declare const llm: BaseLLM

const greet = FunctionTool.fromDefaults({
  name: 'greet',
  schema: { type: 'object', properties: {} },
  fn: (_, { context }: ToolCallContext<{ user: string }>) => `Hello ${context.user}`,
})

it('runUIMessages requires the context of the agent', () => {
  const agent = ReActAgent.fromTools({ llm, tools: [greet] })
  runUIMessages(agent, [], { run: { context: { user: 'Ann' } } })
  // @ts-expect-error: the context is missing
  runUIMessages(agent, [])
  // @ts-expect-error: the context is missing
  runUIMessages(agent, [], { mayContinue: () => true })
  // @ts-expect-error: the user is a string
  runUIMessages(agent, [], { run: { context: { user: 5 } } })
  runUIMessages(ReActAgent.fromTools({ llm }), [])
})
