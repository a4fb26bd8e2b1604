/** Single steps and their links. */
import { TaskStep } from '@x/agents'
import type { Dict } from '@x/core-model'
import type { Operations } from '../../case.ts'
import { apiKeys, CaseError, isObject } from '../../given.ts'

interface StepRecord {
  task_id: string
  step_id: string
  input?: string | null
  step_state?: Dict
  is_ready?: boolean
}

const stepOf = (record: StepRecord) => new TaskStep(apiKeys<ConstructorParameters<typeof TaskStep>[0]>(record))

/** The wire form; a class name is compared only when the case lists it. */
function stepForm(made: TaskStep, expected: unknown): Dict {
  const { class_name, ...form }: Dict = { ...made.toDict() }
  return isObject(expected) && 'class_name' in expected ? { ...form, class_name } : form
}

interface OfNext {
  step: StepRecord
  next?: Omit<StepRecord, 'task_id'>
  mutate?: Dict
}

export const steps: Operations = {
  'TaskStep.next': ({ step, next, mutate }: OfNext, { expect: { value } }) => {
    const expected = isObject(value) ? value : {}
    const made = stepOf(step)
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

  'TaskStep.link': ({ steps, links }: { steps: StepRecord[]; links: [string, string][] }, { expect: { value } }) => {
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
}
