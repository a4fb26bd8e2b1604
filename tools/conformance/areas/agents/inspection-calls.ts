/** Calls of a script that look at tasks, steps, prompts and tools. */
import {
  CustomSimpleAgentWorker,
  type ReasoningStep,
  reasoningText,
  type TaskStepOutput,
  ToolLoopWorker,
} from '@x/agents'
import { ChatMessage, type Dict, ToolOutput } from '@x/core-model'
import {
  argument,
  CaseError,
  dictionary,
  isObject,
  list,
  number,
  optional,
  type Read,
  shape,
  string,
} from '../../reader.ts'
import { type CallReader, call } from '../../script.ts'
import { messageRecord } from '../../stand-ins/messages.ts'
import { templatesOf, textPrompts } from '../../stand-ins/text-prompts.ts'
import { GraphWorker } from './graph-worker.ts'
import type { Stage } from './stage.ts'
import { stepForm } from './step-calls.ts'

const ofTask = shape({ task: string })
const nothing = shape({})

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

const completedStep = shape({ task: string, index: optional(number), step_id: argument<string | undefined>() })

function getCompletedStep(stage: Stage, { task, index, step_id }: Read<typeof completedStep>): Dict {
  const taskId = stage.taskId(task)
  const id = step_id ?? stage.runner.getCompletedSteps(taskId)[index ?? -1]?.taskStep.stepId
  if (id === undefined) throw new CaseError(`index: there is no completed step ${index}`)
  return completedForm(stage, stage.runner.getCompletedStep(taskId, id))
}

function upcomingSteps(stage: Stage, task: string): Dict[] {
  const named = stage.worker instanceof GraphWorker
  return stage.runner
    .getUpcomingSteps(stage.taskId(task))
    .map(({ input, isReady, stepId }) => ({ input, is_ready: isReady, ...(named && { step_id: stepId }) }))
}

async function toolNames({ worker }: Stage, input: string): Promise<(string | null)[]> {
  if (!(worker instanceof ToolLoopWorker || worker instanceof CustomSimpleAgentWorker))
    throw new CaseError('this worker has no tools')
  return (await worker.getTools(input)).map(({ metadata }) => metadata.name)
}

export const inspectionCalls: Readonly<Record<string, CallReader<Stage>>> = {
  list_tasks: call(nothing, ({ runner }) => runner.listTasks().map(({ input }) => input)),
  n_tasks: call(nothing, ({ runner }) => runner.state.taskDict.size),
  get_task: call(ofTask, (stage, { task }) => ({ input: stage.runner.getTask(stage.taskId(task)).input })),

  get_upcoming_steps: call(ofTask, (stage, { task }) => upcomingSteps(stage, task)),
  get_completed_steps: call(ofTask, (stage, { task }) =>
    stage.runner.getCompletedSteps(stage.taskId(task)).map((output) => completedForm(stage, output)),
  ),
  get_completed_step: call(completedStep, getCompletedStep),

  new_memory: call(ofTask, (stage, { task }) => newMessages(stage, task).map(messageRecord)),
  sources: call(ofTask, (stage, { task }) => stateList(stage, task, 'sources', isOutput).map(({ content }) => content)),
  reasoning: call(ofTask, (stage, { task }) =>
    stateList(stage, task, 'current_reasoning', isReasoning).map(reasoningText),
  ),
  extra_state: call(shape({ task: string, keys: list(string) }), (stage, { task, keys }) => {
    const state = extraState(stage, task)
    return Object.fromEntries(keys.filter((key) => key in state).map((key) => [key, state[key]]))
  }),

  get_prompts: call(nothing, ({ runner }) => templatesOf(runner.getPrompts())),
  worker_get_prompts: call(nothing, ({ worker }) => templatesOf(worker.getPrompts())),
  update_prompts: call(shape({ prompts: dictionary(string) }), ({ runner }, { prompts }) =>
    runner.updatePrompts(textPrompts(prompts)),
  ),

  get_tools: call(shape({ input: argument<string>() }), (stage, { input }) => toolNames(stage, input)),

  step_order: call(nothing, ({ graphWorker }) => graphWorker.order),
  finalized: call(nothing, ({ graphWorker }) => graphWorker.finalized),
}
