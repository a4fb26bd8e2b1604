/**
 * @module
 * The agent of a chat.
 */
import type { AgentEvent, AgentInput } from '@x/agents'
import type { DecidingAgent } from '@x/agents/protocol'
import type { BaseMemory, Json } from '@x/core-model'
import type { TasksAgent } from '@x/durable'

/** The methods of an agent that are called. By the optional ones of a `TasksAgent`, every process continues the durable task of a turn. */
export interface ChatAgent<Options extends object>
  extends DecidingAgent,
    Partial<Pick<TasksAgent, 'statusOf' | 'open' | 'retry'>> {
  /** Says whether the agent may refuse a message. */
  readonly agentWorker?: { readonly holdsInput?: boolean }
  conversation(): { readonly memory: BaseMemory }
  runEvents(input: AgentInput, options: Options & { taskId?: string; memory?: BaseMemory }): AsyncGenerator<AgentEvent>
  resumeTask(taskId: string, options: { memory: BaseMemory | undefined }): Promise<unknown>
  /** Checks arguments before somebody judges them. @throws an error with the code `tool_input` if they do not fit the tool */
  checkEdit?(taskId: string, callId: string, args: Record<string, unknown>, options: { exact: true }): Promise<void>
  getPendingApprovals(taskId: string): readonly {
    readonly id: string
    readonly name: string
    readonly awaits?: 'approval' | 'result'
    readonly arguments: Readonly<Record<string, unknown>> | string
    readonly runsWith?: Json | undefined
    readonly refused?: { readonly message: string } | undefined
  }[]
}
