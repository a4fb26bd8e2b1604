/**
 * @module
 * The hooks of an agent: `prepareStep` changes a step, guards check inputs, tool calls and answers.
 */
import { callback, milliseconds, type OptionTable } from '@x/core/options'
import type { BaseLLM, CallOptions, ChatMessage, MessageContent, ToolOutput } from '@x/core-model'
import type { PendingToolCall } from '../task/agent-event.ts'
import type { Task } from '../task/task.ts'
import type { TaskUsage } from '../task-usage.ts'
import type { AsyncBaseTool, Tool } from '../tool/base-tool.ts'
import type { ToolChoice } from './agent-worker.ts'

/** The input of `prepareStep`: the step as it would run without the hook. */
export interface StepPlan<Context = unknown> {
  readonly task: Task
  /** The number of the step in its task, from 1. */
  readonly stepNumber: number
  readonly llm: BaseLLM
  readonly messages: readonly ChatMessage[]
  readonly tools: readonly AsyncBaseTool[]
  readonly toolChoice: ToolChoice
  /** The outputs of all tools so far. */
  readonly sources: readonly ToolOutput[]
  readonly usage: Readonly<TaskUsage>
  /** The calls of this step that waited for decisions, if it continues with them; then only `tools` of the result is used. */
  readonly waited: readonly PendingToolCall[]
  /** The option `context` of the run. */
  readonly context: Context
}

/** The changes of `prepareStep`, for this step alone. `ToolName` is the name of a tool of the agent. */
export type PreparedStep<ToolName extends string = string> = PreparedRequest & PreparedTools<ToolName>

/** What a prepared step changes in its request. */
interface PreparedRequest {
  llm?: BaseLLM | undefined
  /** The messages that are sent. The conversation does not change. */
  messages?: readonly ChatMessage[] | undefined
  /** Options of this model call, in addition to those of the agent. */
  modelOptions?: CallOptions | undefined
}

/** The tools of a step. With other tools than those of the agent, any of their names can be the tool choice. */
type PreparedTools<ToolName extends string> =
  | { tools?: undefined; toolChoice?: ToolChoice<ToolName> | undefined }
  | {
      /**
       * The tools of this step: the names of tools that the agent has, or other tools. If a call of another tool waits for a decision, the
       * hook is called again for the same step when the task continues.
       */
      tools: readonly (Tool | ToolName)[] | undefined
      toolChoice?: ToolChoice | undefined
    }

/** Changes a step before the model is called. `ToolName` is the name of a tool of the agent. */
export type PrepareStep<Context = unknown, ToolName extends string = string> = (
  plan: StepPlan<Context>,
) => PreparedStep<ToolName> | null | undefined | Promise<PreparedStep<ToolName> | null | undefined>

/** The second argument of a guard. */
export interface GuardContext<Context = unknown> {
  readonly task: Task
  /** The option `context` of the run. */
  readonly context: Context
  readonly signal: AbortSignal | undefined
}

/** The second argument of the guard of inputs. */
export interface InputGuardContext<Context = unknown> extends GuardContext<Context> {
  /** The whole message of the user, with its images and files. */
  readonly message: ChatMessage
}

/** The decision of a guard: nothing to let it pass, a reason to stop it, or a replacement. */
export type GuardVerdict<T> = { block: string } | { replace: T } | null | undefined

/** A hook. */
export type Guard<T, Subject = T, Surroundings = GuardContext> = (
  subject: Subject,
  context: Surroundings,
) => GuardVerdict<T> | Promise<GuardVerdict<T>>

/** A tool call as a guard receives it. */
interface GuardedCall {
  readonly id: string
  readonly toolName: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** The guards of an agent. A verdict is JSON, because it is saved with the step. */
export interface Guards<Context = unknown> {
  /**
   * Called with the text of a user before it is used. A blocked input throws `guard_blocked`. A string replaces the text, and images and
   * files stay; content parts replace everything.
   */
  input?: Guard<MessageContent, string, InputGuardContext<Context>> | undefined
  /**
   * Called with the text of a user while the model already answers, after `input`. It cannot replace the text. Nothing of the reply is
   * shown, and none of its calls runs, before the guard has passed; a block stops the model and throws `guard_blocked`. With `durable`, or
   * an engine that compares the order of calls, the model waits for the guard.
   */
  parallelInput?: Guard<never, string, InputGuardContext<Context>> | undefined
  /** Called before a tool runs, after an approval. The model receives the reason of a block. A replacement contains the new arguments. */
  tool?: Guard<Record<string, unknown>, GuardedCall, GuardContext<Context>> | undefined
  /**
   * Called before the answer is shown and recorded, and before text that the model writes before calls of tools is. A block throws
   * `guard_blocked`. Text does not stream then; reasoning and partial structured answers are not shown.
   */
  answer?: Guard<string, string, GuardContext<Context>> | undefined
}

/** The checks of {@link Guards}. */
export const GUARD_OPTIONS: OptionTable<Guards> = {
  input: callback,
  parallelInput: callback,
  tool: callback,
  answer: callback,
}

/** Options of `boundApprovals`. */
export interface ApprovalSettings<Context = unknown> {
  /**
   * Returns who is asked, from the context of the run. An approval counts only if the same user gave it (`by` of the decision) and the run
   * continues for this user. @defaultValue anybody whom the application lets decide
   */
  user?: ((context: Context) => string | null | undefined) | undefined
  /** How long after the question an approval counts, in milliseconds, at least 1. @defaultValue no limit */
  lifetimeMs?: number | undefined
  /**
   * At least 32 bytes, the same in all processes: approvals are sealed with it, and one that somebody wrote into a saved task does not
   * count.
   * @defaultValue none: who can write saved tasks can approve
   */
  secret?: Uint8Array | undefined
}

/** The checks of {@link ApprovalSettings}. */
export const APPROVAL_OPTIONS: OptionTable<ApprovalSettings> = {
  user: callback,
  lifetimeMs: /* @__PURE__ */ milliseconds(1, 'or infinity'),
  secret: (value) =>
    value instanceof Uint8Array && value.length >= 32 ? undefined : 'a Uint8Array of at least 32 bytes',
}

/** A value that brings the code of an option. */
interface OptionLayer {
  /** The function that makes it. */
  readonly name: string
}

/** The value of the option `approvals`, made by `boundApprovals`. `Context` is the run context that it needs. */
export interface ApprovalBinding<Context = unknown> extends OptionLayer {
  /** For the compiler alone. */
  readonly '~context'?: (context: Context) => void
  /** @internal */
  readonly user?: ((context: unknown) => string | null | undefined) | undefined
  /** Returns the time of a question at a place. @internal */
  readonly at?: ((place: string, scope: object) => Promise<number>) | undefined
  /** @internal */
  readonly seal?: ((value: unknown) => string) | undefined
  /** Returns why an approval does not count, as a sentence; empty if it counts. @internal */
  readonly refusal: (call: ApprovedCall, scope: object) => Promise<string>
}

/** What a seal of an approval is of. */
type ApprovedCall = Pick<PendingToolCall, 'approval'> & { always?: boolean | undefined }

/** Returns what is sealed of an approval. */
export function approvalContents({ approval, always }: ApprovedCall): unknown[] {
  const { id, at, by = null } = approval!
  return [id, at, by, always === true]
}

/** The value of the option `contextWindow`, made by `keepWithin`. `Context` is the run context that its summaries need. */
export interface ContextWindowLayer<Context = unknown> extends OptionLayer {
  /** For the compiler alone. */
  readonly '~context'?: (context: Context) => void
}

/** The value of the option `output`, made by `structured`. */
export interface StructuredLayer<Schema = unknown> extends OptionLayer {
  readonly answer: { readonly tool: AsyncBaseTool | undefined }
  /** For the compiler alone. */
  readonly '~schema'?: Schema
}

/** How the model is asked for a structured answer. */
export type OutputMode = 'tool' | 'response_format'
