/** Single steps and their links. */
import { TaskStep } from '@x/agents'
import type { Dict } from '@x/core-model'
import { type Operations, operation } from '../../case.ts'
import {
  argument,
  CaseError,
  isObject,
  list,
  nullable,
  object,
  optional,
  pair,
  type Read,
  shape,
  string,
} from '../../reader.ts'

const step = shape({
  task_id: string,
  step_id: string,
  input: optional(nullable(string)),
  step_state: optional(object),
  is_ready: argument<boolean | undefined>(),
})

const next = shape({ step_id: string, input: optional(nullable(string)), step_state: optional(object) })

function stepOf({ task_id, step_id, input, step_state, is_ready }: Read<typeof step>): TaskStep {
  return new TaskStep({ taskId: task_id, stepId: step_id, input, stepState: step_state, isReady: is_ready })
}

/** The wire form; a class name is compared only when the case lists it. */
function stepForm(made: TaskStep, expected: unknown): Dict {
  const { class_name, ...form }: Dict = { ...made.toDict() }
  return isObject(expected) && 'class_name' in expected ? { ...form, class_name } : form
}

export const steps: Operations = {
  'TaskStep.next': operation(
    shape({ step, next: optional(next), mutate: optional(object) }),
    ({ step: record, next, mutate }, { value }) => {
      const expected = isObject(value) ? value : {}
      const made = stepOf(record)
      if (!next) return { json: stepForm(made, expected['json']) }
      const following = made.getNextStep(next.step_id, {
        ...('input' in next && { input: next.input ?? null }),
        ...(next.step_state && { stepState: next.step_state }),
      })
      const forms = { json: stepForm(made, expected['json']), next: stepForm(following, expected['next']) }
      if (!mutate) return forms
      Object.assign(following.stepState, mutate)
      return { ...forms, state_after_mutating_next: made.stepState }
    },
  ),

  'TaskStep.link': operation(
    shape({ steps: list(step), links: list(pair(string, string)) }),
    ({ steps, links }, { value }) => {
      const made = new Map(steps.map((record) => [record.step_id, stepOf(record)]))
      const named = (id: string) => {
        const found = made.get(id)
        if (found === undefined) throw new CaseError(`given.links: there is no step ${id}`)
        return found
      }
      for (const [from, to] of links) named(from).linkStep(named(to))
      const expected = isObject(value) ? value : {}
      return Object.fromEntries(Array.from(made, ([id, each]) => [id, stepForm(each, expected[id])]))
    },
  ),
}
