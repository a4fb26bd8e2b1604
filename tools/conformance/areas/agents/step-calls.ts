/** Calls of a script that run the steps of a task. */
import {
  AgentRunner,
  ParallelAgentRunner,
  type RunStepOptions,
  StreamingAgentChatResponse,
  type TaskStep,
  type TaskStepOutput,
  type ToolChoice,
} from '@x/agents'
import type { Dict } from '@x/core-model'
import { CaseError, isObject } from '../../given.ts'
import type { Calls } from '../../script.ts'
import { answerForm } from './responses.ts'
import type { Stage } from './stage.ts'

/** The arguments of a call about a task. */
export interface OfTask {
  task: string
}

interface StepInput extends OfTask {
  input?: string | null
  /** The index of an upcoming step; any other value goes to the runner as it is. */
  step?: TaskStep | { upcoming: number }
  toolChoice?: ToolChoice
}

function stepOptions({ runner }: Stage, taskId: string, { input, step, toolChoice }: StepInput): RunStepOptions {
  const chosen =
    isObject(step) && 'upcoming' in step ? runner.getUpcomingSteps(taskId)[step.upcoming] : (step as TaskStep)
  return {
    ...(input !== undefined && { input }),
    ...(step !== undefined && { step: chosen }),
    ...(toolChoice !== undefined && { toolChoice }),
  }
}

/** A runner that runs single steps. */
function stepRunner({ runner }: Stage): AgentRunner | ParallelAgentRunner {
  if (runner instanceof AgentRunner || runner instanceof ParallelAgentRunner) return runner
  throw new CaseError('this runner runs no single steps')
}

/** A step that ran. */
export function stepForm({ output, taskStep, nextSteps, isLast }: TaskStepOutput): Dict {
  const text = output instanceof StreamingAgentChatResponse ? { streaming: true } : { output: String(output) }
  return { input: taskStep.input, ...text, is_last: isLast, n_next: nextSteps.length }
}

interface Created {
  input: string
  as?: string
  taskId?: string
  extraState?: Dict
}

async function createTask(stage: Stage, { input, as, ...options }: Created): Promise<Dict> {
  const task = await stage.runner.createTask(input, options)
  if (as !== undefined) stage.taskIds.set(as, task.taskId)
  return { input: task.input }
}

export const stepCalls: Calls<Stage> = {
  create_task: createTask,

  run_step: async (stage, given: StepInput) => {
    const taskId = stage.taskId(given.task)
    return stepForm(await stepRunner(stage).runStep(taskId, stepOptions(stage, taskId, given)))
  },

  stream_step: async (stage, given: StepInput) => {
    const taskId = stage.taskId(given.task)
    return stepForm(await stepRunner(stage).streamStep(taskId, stepOptions(stage, taskId, given)))
  },

  run_steps_in_queue: async (stage, { task }: OfTask) => {
    const { runner } = stage
    if (!(runner instanceof ParallelAgentRunner))
      throw new CaseError('only parallel runners run all steps in the queue')
    const outputs = await runner.runStepsInQueue(stage.taskId(task))
    return outputs.map((output) => ({ ...stepForm(output), step_id: output.taskStep.stepId }))
  },

  finalize_response: async (stage, { task, step }: OfTask & { step?: number }) => {
    const taskId = stage.taskId(task)
    const output = step === undefined ? undefined : stage.runner.getCompletedSteps(taskId)[step]
    return answerForm(await stage.runner.finalizeResponse(taskId, output))
  },

  undo_step: (stage, { task }: OfTask) => stage.runner.undoStep(stage.taskId(task)),
  delete_task: (stage, { task }: OfTask) => stage.runner.deleteTask(stage.taskId(task)),
}
