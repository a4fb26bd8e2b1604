/**
 * @module
 * Runs a task of an agent, and passes on its steps and its answer as they arrive.
 */
import { type AgentRunner, FunctionCallingAgent, journal, keepWithin, ReActAgent } from '@x/agents'
import type { LoopState } from '@x/agents/protocol'
import type { ToolOutput } from '@x/core-model'
import type { LLM } from '@x/llm'
import type { FileTaskStore } from '@x/storage/node'
import type { Docs } from '../docs.ts'
import { docsTools } from '../tools/docs-tools.ts'

/** An agent with native tool calls, or with tools in the prompt. */
export type Agent = AgentRunner<unknown, unknown, string, LoopState>

const PROMPT = `You answer questions about a folder of Markdown documents.
Search first, with the question and with other words for it; read the sections and table rows that matter. Rely on the results of the tools,
not on what you remember. Quote values and definitions as they are written.
After every statement name its source in square brackets, as the tools write it: [file:line] or [file:line-line].
If the documents do not contain the answer, say so.`

/** Returns an agent that answers from the documents of a folder. */
export function makeAgent(llm: LLM, docs: Docs, taskStore: FileTaskStore | null): Agent {
  const options = {
    llm,
    tools: docsTools(docs),
    onMaxIterations: 'answer' as const,
    contextWindow: keepWithin(),
    ...(taskStore && { taskStore: journal(taskStore) }),
  }
  return llm.metadata.isFunctionCallingModel
    ? FunctionCallingAgent.fromTools({ ...options, systemPrompt: PROMPT })
    : ReActAgent.fromTools({ ...options, context: PROMPT })
}

/** Receives the steps of an answer. */
export interface AnswerReport {
  call(tool: string, input: Record<string, unknown>): void
  /** A piece of the answer. */
  text(piece: string): void
  /** What was received as the answer was not yet the answer. */
  discard(): void
}

/** The result of a task. */
export interface Outcome {
  answer: string
  /** The outputs of all tool calls. */
  outputs: readonly ToolOutput[]
}

/** Text that a model writes before it calls tools is shorter than this; longer text is passed on while it is written. */
const HELD_BACK = 200

/** Runs the rest of a task. */
export async function followAgent(
  agent: Agent,
  taskId: string,
  report: AnswerReport,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  let text = ''
  let isShown = false
  for await (const event of agent.runEvents('', { taskId, signal })) {
    if (event.type === 'step_start') {
      text = ''
      isShown = false
    } else if (event.type === 'text_delta') {
      text += event.delta
      if (isShown) report.text(event.delta)
      else if (text.length > HELD_BACK) {
        isShown = true
        report.text(text)
      }
    } else if (event.type === 'tool_call') {
      if (isShown) report.discard()
      isShown = false
      report.call(event.toolName, event.arguments as Record<string, unknown>)
    } else if (event.type === 'task_end') {
      const { text: answer } = event.answer
      if (!isShown) report.text(answer)
      const { sources } = agent.getTask(taskId).extraState
      return { answer, outputs: sources }
    }
  }
  throw new Error('The agent ended without an answer.')
}
