/** Calls of a script that look at tasks, steps, prompts and tools. */
import type { TaskStepOutput } from '@x/agents'
import { CustomSimpleAgentWorker, type ReasoningStep, reasoningText, ToolLoopWorker } from '@x/agents/protocol'
import { ChatMessage, type Dict, ToolOutput } from '@x/core-model'
import { CaseError, isObject } from '../../given.ts'
import type { Calls } from '../../script.ts'
import { messageRecord } from '../../stand-ins/messages.ts'
import { templatesOf, textPrompts } from '../../stand-ins/text-prompts.ts'
import { GraphWorker } from './graph-worker.ts'
import type { Stage } from './stage.ts'
import { type OfTask, stepForm } from './step-calls.ts'

function extraState(stage: Stage, task: string): Dict {
  return stage.runner.getTask(stage.taskId(task)).extraState
}

/** A list in the extra state of a task. */
function stateList<T>(stage: Stage, task: string, key: string, isItem: (item: unknown) => item is T): T[] {
  const value = extraState(stage, task)[key]
  if (Array.isArray(value) && value.every(isItem)) return value
  throw new Error(`the extra state has no list ${key}`)
}

const isOutput = (item: unknown): item is ToolOutput => item instanceof ToolOutput
const isReasoning = (item: unknown): item is ReasoningStep => isObject(item) && 'kind' in item

/** The messages that a task has collected so far. */
function newMessages(stage: Stage, task: string): ChatMessage[] {
  const memory = extraState(stage, task)['new_memory']
  const hasMessages = typeof memory === 'object' && memory !== null && 'getAll' in memory
  const messages: unknown = hasMessages && typeof memory.getAll === 'function' ? memory.getAll() : undefined
  if (Array.isArray(messages)) return messages.filter((each) => each instanceof ChatMessage)
  throw new Error('the extra state has no new_memory')
}

/** The id of a step is listed for graph workers, which name their steps. */
function completedForm({ worker }: Stage, output: TaskStepOutput): Dict {
  return { ...stepForm(output), ...(worker instanceof GraphWorker && { step_id: output.taskStep.stepId }) }
}

function getCompletedStep(stage: Stage, { task, index, stepId }: OfTask & { index?: number; stepId?: string }): Dict {
  const taskId = stage.taskId(task)
  const id = stepId ?? stage.runner.getCompletedSteps(taskId)[index ?? -1]?.taskStep.stepId
  if (id === undefined) throw new CaseError(`index: there is no completed step ${index}`)
  return completedForm(stage, stage.runner.getCompletedStep(taskId, id))
}

function upcomingSteps(stage: Stage, task: string): Dict[] {
  const named = stage.worker instanceof GraphWorker
  return stage.runner
    .getUpcomingSteps(stage.taskId(task))
    .map(({ input, isReady, stepId }) => ({ input, is_ready: isReady, ...(named && { step_id: stepId }) }))
}

async function toolNames({ worker }: Stage, { input }: { input: string }): Promise<(string | null)[]> {
  if (!(worker instanceof ToolLoopWorker || worker instanceof CustomSimpleAgentWorker))
    throw new CaseError('this worker has no tools')
  return (await worker.getTools(input)).map(({ metadata }) => metadata.name)
}

export const inspectionCalls: Calls<Stage> = {
  list_tasks: ({ runner }) => runner.listTasks().map(({ input }) => input),
  n_tasks: ({ runner }) => runner.state.taskDict.size,
  get_task: (stage, { task }: OfTask) => ({ input: stage.runner.getTask(stage.taskId(task)).input }),

  get_upcoming_steps: (stage, { task }: OfTask) => upcomingSteps(stage, task),
  get_completed_steps: (stage, { task }: OfTask) =>
    stage.runner.getCompletedSteps(stage.taskId(task)).map((output) => completedForm(stage, output)),
  get_completed_step: getCompletedStep,

  new_memory: (stage, { task }: OfTask) => newMessages(stage, task).map(messageRecord),
  sources: (stage, { task }: OfTask) => stateList(stage, task, 'sources', isOutput).map(({ content }) => content),
  reasoning: (stage, { task }: OfTask) => stateList(stage, task, 'current_reasoning', isReasoning).map(reasoningText),
  extra_state: (stage, { task, keys }: OfTask & { keys: string[] }) => {
    const state = extraState(stage, task)
    return Object.fromEntries(keys.filter((key) => key in state).map((key) => [key, state[key]]))
  },

  get_prompts: ({ runner }) => templatesOf(runner.getPrompts()),
  worker_get_prompts: ({ worker }) => templatesOf(worker.getPrompts()),
  update_prompts: ({ runner }, { prompts }: { prompts: Record<string, string> }) =>
    runner.updatePrompts(textPrompts(prompts)),

  get_tools: toolNames,

  step_order: ({ graphWorker }) => graphWorker.order,
  finalized: ({ graphWorker }) => graphWorker.finalized,
}
