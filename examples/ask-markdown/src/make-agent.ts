/**
 * @module
 * Creates the agent for a model: with native tool calls, or with tools described in the prompt.
 */
import { type AgentRunner, FunctionCallingAgent, type LoopState, ReActAgent, type ReActState } from '@x/agents'
import type { LLM } from '@x/core-model'
import type { FileTaskStore } from '@x/storage/node'
import { agentPrompt } from './agent-prompt.ts'
import type { Library } from './library.ts'
import { makeTools } from './tools.ts'

/** An agent of either kind. Only an agent with tools in the prompt records its reasoning. */
export type Agent = AgentRunner<unknown, unknown, string, LoopState & Partial<ReActState>>

/** Returns an agent that answers from a library. @param taskStore - stores its tasks; null to store none. */
export function makeAgent(llm: LLM, library: Library, taskStore: FileTaskStore | null): Agent {
  const options = {
    llm,
    tools: makeTools(library),
    onMaxIterations: 'answer' as const,
    ...(taskStore && { taskStore }),
  }
  return llm.metadata.isFunctionCallingModel
    ? FunctionCallingAgent.fromTools({ ...options, systemPrompt: agentPrompt(library) })
    : ReActAgent.fromTools({ ...options, context: agentPrompt(library) })
}
