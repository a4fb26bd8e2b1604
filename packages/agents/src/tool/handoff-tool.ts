/**
 * @module
 * Hands a conversation over to another agent.
 */
import { type BaseMemory, ChatMessage } from '@x/core-model'
import type { AgentInput, Task } from '../task/task.ts'
import { AgentTool, type AgentToolOptions } from './agent-tool.ts'
import type { ToolCallContext } from './base-tool.ts'

/** Options of {@link HandoffTool}. */
export interface HandoffToolOptions<Context = unknown, Name extends string = string>
  extends Omit<AgentToolOptions<Context, Name>, 'conversation' | 'returnDirect' | 'schema' | 'toQuestion'> {
  /** When to hand over to the other agent. */
  description: string
}

const NAME = 'hand_over'

const SCHEMA = {
  type: 'object',
  properties: { reason: { type: 'string', description: 'Why, and what the other one should know.' } },
}

/**
 * Hands the conversation over to another agent: it receives the messages so far and the input of the task, and its answer is the answer of
 * the task. The next message goes to the first agent again, whose conversation contains the handoff.
 * @example
 * const billing = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Answer: Your refund is on its way.'] }) })
 * const toBilling = new HandoffTool({ agent: billing, name: 'to_billing', description: 'Invoices and refunds.' })
 * const llm = new ScriptedLLM({ answers: ['Thought: money\nAction: to_billing\nAction Input: {"reason": "a refund"}'] })
 * String(await ReActAgent.fromTools({ llm, tools: [toBilling] }).chat('Where is my refund?')) // => 'Your refund is on its way.'
 */
export class HandoffTool<Context = unknown, Name extends string = string> extends AgentTool<Context, Name> {
  constructor(options: HandoffToolOptions<Context, Name>) {
    super({ schema: SCHEMA, ...options, returnDirect: true }, NAME)
  }

  protected override async questionFor(
    input: Record<string, unknown> | string | number,
    { task }: Partial<ToolCallContext<Context>>,
  ): Promise<AgentInput> {
    const reason = typeof input === 'object' ? input['reason'] : input
    if (!task) return String(reason ?? '')
    const message = await acceptedInput(task)
    if (typeof reason !== 'string' || reason === '') return message
    const note = `(Handed over because: ${reason})`
    const { content } = message
    return Array.isArray(content)
      ? message.copy({ update: { content: [...content, { type: 'text', text: note }] } })
      : message.copy({ update: { content: `${content}\n\n${note}` } })
  }

  protected override async memoryOf(context: Partial<ToolCallContext<Context>>): Promise<BaseMemory> {
    const memory = await super.memoryOf({})
    await memory.set((await context.task?.memory.getAll()) ?? [])
    return memory
  }
}

/** Returns the first message of the task, as the guard of the calling agent changed it. */
async function acceptedInput({ input, inputMessage, extraState }: Task): Promise<ChatMessage> {
  const own = extraState['new_memory'] as BaseMemory | undefined
  const [first] = (await own?.getAll()) ?? []
  return first ?? inputMessage ?? new ChatMessage({ role: 'user', content: input })
}
