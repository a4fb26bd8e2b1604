/**
 * The process that is killed: an agent with six effects, two of them behind an approval, three in one turn. Its model requests
 * something different each time. It continues from the state in the folder until the task is finished.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { FunctionCallingAgent, FunctionTool, type ToolCallContext } from '@x/agents'
import { type BaseLLM, ChatMessage, ChatResponse, type ContentPart, isImagePart } from '@x/core-model'
import { FileTaskStore } from '@x/storage/node'
import { appendLine, chatModel, turnOf } from './effects.ts'

export const TASK_ID = 'errand'
export const EFFECTS_FILE = 'effects.jsonl'

/** The tool calls of each turn of the model. */
export const TURNS: readonly (readonly string[])[] = [['note'], ['note', 'note', 'note'], ['pay'], ['pay']]

/** The input of the user: text and an image. */
export const ERRAND: readonly ContentPart[] = [
  { type: 'text', text: 'Run the errands on this list.' },
  { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(20_000)}` } },
]

/** An effect that happened outside. */
export interface Effect {
  key: string
  tool: string
  args: unknown
}

/** A slow model that never repeats an answer: ids and arguments are new each time. */
function restlessModel(): BaseLLM {
  return chatModel(async (messages) => {
    const [first] = messages
    if (!Array.isArray(first?.content) || !first.content.some(isImagePart)) throw new Error('The picture is lost.')
    await pause(Math.random() * 3)
    const calls = TURNS[turnOf(messages)]?.map((name) => ({
      id: randomUUID(),
      name,
      arguments: JSON.stringify({ what: randomUUID() }),
    }))
    const message = calls
      ? new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { tool_calls: calls } })
      : new ChatMessage({ role: 'assistant', content: `Done ${randomUUID()}.` })
    return new ChatResponse({ message })
  })
}

/** A tool with an outside effect, which happens before the tool returns. */
function effectTool(folder: string, name: string, needsApproval: boolean): FunctionTool {
  return FunctionTool.fromDefaults({
    name,
    schema: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
    needsApproval,
    fn: async (args: { what: string }, { idempotencyKey }: ToolCallContext<never>) => {
      const effect: Effect = { key: idempotencyKey ?? '', tool: name, args }
      appendLine(join(folder, EFFECTS_FILE), effect)
      await pause(Math.random() * 3)
      return `${name} ${args.what}`
    },
  })
}

/** Continues the errand. The second payment is edited before it is approved. */
export async function runErrand(folder: string, started: () => void): Promise<void> {
  const agent = FunctionCallingAgent.fromTools({
    llm: restlessModel(),
    tools: [effectTool(folder, 'note', false), effectTool(folder, 'pay', true)],
    maxParallelToolCalls: 2,
    taskStore: new FileTaskStore(folder),
  })
  started()
  for (;;) {
    try {
      await agent.chat(ERRAND, { taskId: TASK_ID })
      return
    } catch (error) {
      if ((error as { code?: string }).code !== 'approval_required') throw error
    }
    for (const { id } of agent.getPendingApprovals(TASK_ID)) {
      const isSecond = agent.getTask(TASK_ID).extraState.sources.some(({ toolName }) => toolName === 'pay')
      if (isSecond) await agent.edit(TASK_ID, id, { what: `edited ${randomUUID()}` })
      else await agent.approve(TASK_ID, id, { by: 'the parent' })
    }
  }
}
