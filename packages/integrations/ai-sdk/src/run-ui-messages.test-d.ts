import { FunctionTool, ReActAgent, type ToolCallContext } from '@x/agents'
import type { BaseLLM, BaseMemory } from '@x/core-model'
import { it } from 'vitest'
import { runUIMessages } from './run-ui-messages.ts'

declare const llm: BaseLLM
declare const memory: BaseMemory
const mayContinue = () => true

const greet = FunctionTool.fromDefaults({
  name: 'greet',
  schema: { type: 'object', properties: {} },
  fn: (_, { context }: ToolCallContext<{ user: string }>) => `Hello ${context.user}`,
})

it('runUIMessages requires the context of the agent', () => {
  const agent = ReActAgent.fromTools({ llm, tools: [greet] })
  runUIMessages(agent, [], { run: { context: { user: 'Ann' } }, mayContinue })
  // @ts-expect-error: the context is missing
  runUIMessages(agent, [], { mayContinue })
  // @ts-expect-error: the user is a string
  runUIMessages(agent, [], { run: { context: { user: 5 } }, mayContinue })
  // @ts-expect-error: the messages of the client are the history
  runUIMessages(agent, [], { run: { context: { user: 'Ann' }, chatHistory: [] }, mayContinue })
})

it('runUIMessages requires a decision about who may continue a task', () => {
  const agent = ReActAgent.fromTools({ llm })
  runUIMessages(agent, [], { mayContinue: false })
  runUIMessages(agent, [], { mayContinue, run: { memory, taskId: 'ann:1' } })
  // @ts-expect-error: any client could continue any task
  runUIMessages(agent, [])
  // @ts-expect-error: any client could continue any task
  runUIMessages(agent, [], { run: { memory } })
  // @ts-expect-error: true is not a decision
  runUIMessages(agent, [], { mayContinue: true })
})
