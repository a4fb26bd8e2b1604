/**
 * @module
 * Hooks that change the request of a step: the model, the tools, the tool choice, the messages and the options.
 */
import { checkOptions, having, list, type OptionTable, unchecked } from '@x/core/options'
import { type CallOptions, type ChatMessage, ConfigurationError } from '@x/core-model'
import { checkTools } from '../loop/check-tools.ts'
import type { PreparedStep, PrepareStep, StepPlan } from '../loop/hooks.ts'
import type { Layer, RequestPlan, Scope } from '../loop/layer.ts'
import { findTool } from '../loop/loop.ts'
import type { PendingToolCall } from '../task/agent-event.ts'
import type { Task } from '../task/task.ts'
import { noUsage } from '../task-usage.ts'
import { type AsyncBaseTool, adaptToAsyncTool, type Tool } from '../tool/base-tool.ts'

/** Changes steps before the model is called. */
export function prepareStep<Context = unknown>(hook: PrepareStep<Context>): Layer {
  return {
    rank: 38,
    request: (next) => async (plan, scope) => {
      const request = await next(plan, scope)
      const shown = { ...plan, toolChoice: request.toolChoice }
      const prepared = checked(await hook(planOf(shown, request.messages, scope) as StepPlan<Context>))
      const { llm = plan.llm, toolChoice, messages, modelOptions } = prepared
      const tools = prepared.tools && !scope.mustAnswer ? toolsFrom(prepared.tools, plan.tools) : plan.tools
      const isChanged = prepared.tools || toolChoice
      const changed = { ...plan, llm, tools, ...(toolChoice && { toolChoice, isChosen: true }) }
      const made = isChanged ? await next(changed, scope) : request
      return {
        ...made,
        llm,
        ...(messages && { messages: [...messages] }),
        options: { ...made.options, ...modelOptions },
      }
    },
  }
}

/** Returns the tools that the hook chooses for an earlier step, whose calls waited for decisions. */
export async function preparedTools(
  hook: PrepareStep,
  own: readonly AsyncBaseTool[],
  waited: readonly PendingToolCall[],
  scope: Scope,
): Promise<readonly AsyncBaseTool[]> {
  const { loop, task } = scope
  const plan = { llm: loop.llm, tools: own, toolChoice: 'auto' }
  const { messages } = await loop.protocol.request({ task, ...plan })
  const { tools } = checked(await hook(planOf(plan, messages, scope, waited)))
  return tools ? toolsFrom(tools, own) : own
}

/** Changes the messages before they are sent to the model. */
export function prepareMessages<Context = unknown>(
  hook: (messages: ChatMessage[], task: Task, context: Context) => ChatMessage[] | Promise<ChatMessage[]>,
): Layer {
  return {
    rank: 37,
    request: (next) => async (plan, scope) => {
      const request = await next(plan, scope)
      return { ...request, messages: await hook(request.messages, scope.task as Task, scope.context as Context) }
    },
  }
}

/** Adds options to every model call. */
export function modelOptions(options: CallOptions): Layer {
  return {
    rank: 92,
    request: (next) => async (plan, scope) => {
      const request = await next(plan, scope)
      return { ...request, options: { ...options, ...request.options } }
    },
  }
}

const preparedTable: OptionTable<PreparedStep> = {
  llm: having('a language model', 'chat'),
  messages: list,
  modelOptions: having('an object'),
  tools: list,
  toolChoice: unchecked,
}

/** Returns what the hook has returned, so that a misspelt or wrong value does not offer all tools. @throws {ModelValidationError} */
function checked(prepared: Awaited<ReturnType<PrepareStep>>): PreparedStep {
  checkOptions('prepareStep', prepared ?? {}, preparedTable)
  return prepared ?? {}
}

function planOf(
  { llm, tools, toolChoice }: RequestPlan,
  messages: readonly ChatMessage[],
  { task, state, context, stepNumber }: Scope,
  waited: readonly PendingToolCall[] = [],
): StepPlan {
  const { sources, usage = noUsage() } = state
  return { task: task as Task, stepNumber, llm, messages, tools, toolChoice, sources, usage, waited, context }
}

function toolsFrom(given: readonly (Tool | string)[], tools: readonly AsyncBaseTool[]): AsyncBaseTool[] {
  const chosen = given.map((tool) => {
    const found = typeof tool === 'string' ? findTool(tools, tool) : adaptToAsyncTool(tool)
    if (!found) throw new ConfigurationError(`prepareStep: the agent has no tool "${String(tool)}".`)
    return found
  })
  checkTools('prepareStep', chosen)
  return chosen
}
