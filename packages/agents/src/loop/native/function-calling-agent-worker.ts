/**
 * @module
 * The worker of agents with native tool calls.
 */
import {
  ChatMessage,
  type ChatMessageOptions,
  type ChatResponse,
  ConfigurationError,
  toolCallsOf as modelToolCallsOf,
  type ToolOutput,
} from '@x/core-model'
import { InvalidAgentOutputError, MaxIterationsError } from '../../errors.ts'
import { toMessage } from '../../memory/chat-memory-buffer.ts'
import type { ToolCall } from '../../task/agent-event.ts'
import type { Task } from '../../task/task.ts'
import type { TaskStep } from '../../task/task-step.ts'
import type { AsyncBaseTool } from '../../tool/base-tool.ts'
import type { StepOptions, ToolChoice } from '../agent-worker.ts'
import {
  LOOP_OPTIONS,
  type LoopState,
  type ModelRequest,
  refuseUnknownOptions,
  replyText,
  type ToolLoopOptions,
  ToolLoopWorker,
  type Turn,
  type TurnReader,
} from '../tool-loop-worker.ts'

/** Options of `FunctionCallingAgentWorker`. */
export interface FunctionCallingAgentWorkerOptions extends ToolLoopOptions {
  /** Maximum number of tool calls per task. @defaultValue 5 */
  maxFunctionCalls?: number | undefined
  /** The system message. Cannot be combined with `prefixMessages`. */
  systemPrompt?: string | null | undefined
  /** The first messages. Cannot be combined with `systemPrompt`. */
  prefixMessages?: readonly (ChatMessage | ChatMessageOptions)[] | null | undefined
}

/** The names of {@link FunctionCallingAgentWorkerOptions}. */
export const FUNCTION_CALLING_OPTIONS: readonly string[] = [
  ...LOOP_OPTIONS,
  'maxFunctionCalls',
  'systemPrompt',
  'prefixMessages',
] satisfies (keyof FunctionCallingAgentWorkerOptions)[]

interface FunctionCallingState extends LoopState {
  n_function_calls: number
}

/**
 * Runs the steps of an agent with native tool calls: one model call and all tool calls that the model requests.
 *
 * Every call has exactly one tool message, in the order of the calls, even if it fails or the limit is reached.
 * @throws {ConfigurationError} if the model does not support tool calls, or options contradict each other.
 */
export class FunctionCallingAgentWorker extends ToolLoopWorker {
  maxFunctionCalls: number
  readonly prefixMessages: readonly ChatMessage[]

  constructor(options: FunctionCallingAgentWorkerOptions) {
    refuseUnknownOptions('FunctionCallingAgentWorker', options, FUNCTION_CALLING_OPTIONS)
    if (!options.llm.metadata.isFunctionCallingModel) {
      throw new ConfigurationError(
        `FunctionCallingAgentWorker.llm: the model "${options.llm.metadata.modelName}" does not support tool calls; use a ReActAgent.`,
      )
    }
    if (options.systemPrompt && options.prefixMessages) {
      throw new ConfigurationError('FunctionCallingAgentWorker: systemPrompt and prefixMessages cannot be combined.')
    }
    super(options)
    this.maxFunctionCalls = options.maxFunctionCalls ?? 5
    const prefix = options.systemPrompt
      ? [{ role: 'system' as const, content: options.systemPrompt }]
      : (options.prefixMessages ?? [])
    this.prefixMessages = prefix.map(toMessage)
  }

  protected override state(task: Task): FunctionCallingState {
    return task.extraState as unknown as FunctionCallingState
  }

  protected initialState(): Record<string, unknown> {
    return { n_function_calls: 0 }
  }

  protected limitReached(task: Task): boolean {
    return this.callsLeft(task) <= 0
  }

  protected override callsLeft(task: Task): number {
    return this.maxFunctionCalls - this.state(task).n_function_calls
  }

  protected override countCall(task: Task): void {
    this.state(task).n_function_calls++
  }

  protected acceptInput(input: string, _step: TaskStep, task: Task): void {
    this.state(task).new_memory.put(new ChatMessage({ role: 'user', content: input }))
  }

  protected request(tools: readonly AsyncBaseTool[], task: Task, { toolChoice }: StepOptions): ModelRequest {
    const messages = [...this.prefixMessages, ...task.memory.get(), ...this.state(task).new_memory.getAll()]
    if (tools.length === 0) return { messages, options: {} }
    const choice = this.limitReached(task) ? 'none' : resolveToolChoice(toolChoice ?? 'auto')
    return { messages, options: { tools: tools.map(({ metadata }) => metadata.toOpenaiTool()), toolChoice: choice } }
  }

  protected read(message: ChatMessage, task: Task): Turn {
    const calls = toolCallsOf(message, this.state(task).sources.length)
    if (calls.length === 0) return { kind: 'answer', text: replyText(message), message }
    if (this.callsLeft(task) <= 0 && this.options.onMaxIterations !== 'answer') {
      throw new MaxIterationsError(
        task.taskId,
        `${this.maxFunctionCalls} tool calls`,
        this.state(task).sources.at(-1)?.content ?? null,
      )
    }
    return { kind: 'calls', calls, message, thought: replyText(message) }
  }

  protected reader(task: Task): TurnReader {
    let latest: ChatMessage | undefined
    let answering = false
    let text = ''
    return {
      push: (chunk: ChatResponse) => {
        latest = chunk.message
        const delta = chunk.delta ?? ''
        text += delta
        answering ||= delta !== '' && toolCallsOf(chunk.message).length === 0
        return answering ? delta : ''
      },
      canStop: () => false,
      end: () => {
        const calls = latest ? toolCallsOf(latest) : []
        if (answering && calls.length > 0) {
          throw new InvalidAgentOutputError(
            'The model called tools after it had begun to stream an answer; use chat, or a model that does not.',
          )
        }
        return this.read(latest ?? new ChatMessage({ role: 'assistant', content: text }), task)
      },
    }
  }

  protected recordCalls({ message }: Turn & { kind: 'calls' }, task: Task): void {
    this.state(task).new_memory.put(message)
  }

  protected recordOutput(call: ToolCall, output: ToolOutput, task: Task): void {
    const additionalKwargs = { name: call.name, tool_call_id: call.id }
    this.state(task).new_memory.put(new ChatMessage({ role: 'tool', content: output.content, additionalKwargs }))
  }

  protected recordAnswer(text: string, turn: Turn, task: Task): void {
    // The unchanged message of the model, unless its text was streamed and is trimmed.
    const own = turn.kind === 'answer' && turn.message && replyText(turn.message) === text ? turn.message : undefined
    this.state(task).new_memory.put(own ?? new ChatMessage({ role: 'assistant', content: text }))
  }

  protected outputText(turn: Turn, _outputs: readonly ToolOutput[]): string {
    return turn.kind === 'calls' ? (turn.thought ?? '') : ''
  }
}

/** Converts a tool choice for a provider: the name of a tool becomes an object, all else is unchanged. */
export function resolveToolChoice(toolChoice: ToolChoice): ToolChoice {
  if (typeof toolChoice !== 'string' || ['auto', 'none', 'required', 'any'].includes(toolChoice)) return toolChoice
  return { type: 'function', function: { name: toolChoice } }
}

/**
 * Returns the tool calls of a message, which may have the plain form or that of a provider API.
 * @param first - the number of the first call, for calls without an id. @defaultValue 0
 */
export function toolCallsOf(message: ChatMessage, first: number = 0): ToolCall[] {
  return modelToolCallsOf(message).map((call, i) => ({ ...call, id: call.id ?? `call_${first + i}` }))
}
