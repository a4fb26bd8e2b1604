/**
 * @module
 * Handing a conversation over to another agent.
 */
import type { BaseMemory } from '@x/core-model'
import { AgentTool, type AgentToolOptions } from './agent-tool.ts'
import type { ToolCallContext } from './base-tool.ts'

/** Options of {@link HandoffTool}. */
export interface HandoffToolOptions
  extends Omit<AgentToolOptions, 'conversation' | 'returnDirect' | 'schema' | 'toQuestion'> {
  /** When the other agent is the right one. */
  description: string
}

const DEFAULTS = {
  name: 'hand_over',
  schema: {
    type: 'object',
    properties: { reason: { type: 'string', description: 'Why, and what the other one should know.' } },
  },
}

/**
 * Hands the conversation over to another agent: it receives the messages so far and the input of the task, and its answer is the answer of
 * the task. The next message goes to the first agent again, which sees who has answered.
 * @example
 * const billing = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Answer: Your refund is on its way.'] }) })
 * const toBilling = new HandoffTool({ agent: billing, name: 'to_billing', description: 'Invoices and refunds.' })
 * const llm = new ScriptedLLM({ answers: ['Thought: money\nAction: to_billing\nAction Input: {"reason": "a refund"}'] })
 * String(await ReActAgent.fromTools({ llm, tools: [toBilling] }).chat('Where is my refund?')) // => 'Your refund is on its way.'
 */
export class HandoffTool extends AgentTool {
  constructor(options: HandoffToolOptions) {
    super({ ...DEFAULTS, ...options, returnDirect: true })
  }

  protected override async questionFor(
    input: Record<string, unknown> | string | number,
    { task }: Partial<ToolCallContext>,
  ): Promise<string> {
    const reason = typeof input === 'object' ? input['reason'] : input
    if (!task) return String(reason ?? '')
    return typeof reason === 'string' && reason !== ''
      ? `${task.input}\n\n(Handed over because: ${reason})`
      : task.input
  }

  protected override async memoryOf(context: Partial<ToolCallContext>): Promise<BaseMemory> {
    const memory = await super.memoryOf({})
    await memory.set((await context.task?.memory.getAll()) ?? [])
    return memory
  }
}
