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
import {
  argument,
  CaseError,
  isObject,
  nullable,
  number,
  object,
  optional,
  type Read,
  type Reader,
  shape,
  string,
} from '../../reader.ts'
import { type CallReader, call } from '../../script.ts'
import { answerForm } from './responses.ts'
import type { Stage } from './stage.ts'

const task = string
const ofTask = shape({ task })

type StepOf = (upcoming: readonly TaskStep[]) => TaskStep | undefined

/** The step object at an index of the upcoming steps; any other value goes to the runner as it is. */
const stepReference: Reader<StepOf> = (value, at) => {
  if (!isObject(value)) return () => argument<TaskStep>()(value, at)
  const { upcoming } = shape({ upcoming: number })(value, at)
  return (steps) => steps[upcoming]
}

const stepInput = shape({
  task,
  input: optional(nullable(string)),
  step: optional(stepReference),
  tool_choice: argument<ToolChoice | undefined>(),
})

function stepOptions({ runner }: Stage, taskId: string, given: Read<typeof stepInput>): RunStepOptions {
  const { input, step, tool_choice: toolChoice } = given
  return {
    ...(input !== undefined && { input }),
    ...(step && { step: step(runner.getUpcomingSteps(taskId)) }),
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

const createInput = shape({
  input: argument<string>(),
  as: optional(string),
  task_id: argument<string | undefined>(),
  extra_state: optional(object),
})

async function createTask(stage: Stage, given: Read<typeof createInput>): Promise<Dict> {
  const { task_id: taskId, extra_state: extraState, as } = given
  const task = await stage.runner.createTask(given.input, {
    ...(taskId !== undefined && { taskId }),
    ...(extraState && { extraState }),
  })
  if (as !== undefined) stage.taskIds.set(as, task.taskId)
  return { input: task.input }
}

export const stepCalls: Readonly<Record<string, CallReader<Stage>>> = {
  create_task: call(createInput, createTask),

  run_step: call(stepInput, async (stage, given) => {
    const taskId = stage.taskId(given.task)
    return stepForm(await stepRunner(stage).runStep(taskId, stepOptions(stage, taskId, given)))
  }),

  stream_step: call(stepInput, async (stage, given) => {
    const taskId = stage.taskId(given.task)
    return stepForm(await stepRunner(stage).streamStep(taskId, stepOptions(stage, taskId, given)))
  }),

  run_steps_in_queue: call(ofTask, async (stage, given) => {
    const { runner } = stage
    if (!(runner instanceof ParallelAgentRunner))
      throw new CaseError('only parallel runners run all steps in the queue')
    const outputs = await runner.runStepsInQueue(stage.taskId(given.task))
    return outputs.map((output) => ({ ...stepForm(output), step_id: output.taskStep.stepId }))
  }),

  finalize_response: call(shape({ task, step: optional(number) }), async (stage, given) => {
    const taskId = stage.taskId(given.task)
    const output = given.step === undefined ? undefined : stage.runner.getCompletedSteps(taskId)[given.step]
    return answerForm(await stage.runner.finalizeResponse(taskId, output))
  }),

  undo_step: call(ofTask, (stage, given) => stage.runner.undoStep(stage.taskId(given.task))),

  delete_task: call(ofTask, (stage, given) => stage.runner.deleteTask(stage.taskId(given.task))),
}
