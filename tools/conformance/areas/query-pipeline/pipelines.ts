/** Whole pipelines. */
import type { Dict } from '@x/core-model'
import { type Operations, operation } from '../../case.ts'
import { argument, boolean, dictionary, isObject, list, literal, optional, type Reader, shape } from '../../reader.ts'
import { pipelineOf } from './pipeline.ts'
import { pipeline } from './pipeline-record.ts'
import { Recorder } from './recorder.ts'
import { value, valueForm, values } from './values.ts'

const record = optional(list(literal('llm_calls', 'agent_histories')))

/** `no_async` concerns only the reference: here every operation is asynchronous. */
const shared = { pipeline, record, no_async: optional(boolean) }

/** Inputs of one root; a value that is not an object goes to the pipeline as it is. */
const rootInputs: Reader<Dict> = (given, at) => (isObject(given) ? values : argument<Dict>())(given, at)

/** The values that a case expects beside the output, in `record` or by listing it in its value. */
function recordOf(recorder: Recorder, asked: readonly string[] = [], expected: unknown): Dict {
  const isAsked = (key: string) => asked.includes(key) || (isObject(expected) && key in expected)
  return {
    executed: [...recorder.executed].sort(),
    ...(isAsked('llm_calls') && { llm_calls: recorder.calls }),
    ...(isAsked('agent_histories') && { agent_histories: recorder.histories }),
  }
}

export const pipelines: Operations = {
  'QueryPipeline.run': operation(
    shape({
      ...shared,
      input: shape({
        args: optional(list(value)),
        kwargs: optional(values),
        return_values_direct: argument<boolean | undefined>(),
      }),
    }),
    async (given, expected) => {
      const recorder = new Recorder()
      const { args = [], kwargs = {}, return_values_direct: returnValuesDirect } = given.input
      const made = pipelineOf(given.pipeline, recorder)
      const output = await made.run({ args, inputs: kwargs }, { returnValuesDirect })
      return { output: valueForm(output), ...recordOf(recorder, given.record, expected.value) }
    },
  ),

  'QueryPipeline.run_multi': operation(shape({ ...shared, input: dictionary(rootInputs) }), async (given, expected) => {
    const recorder = new Recorder()
    const output = await pipelineOf(given.pipeline, recorder).runMulti(given.input)
    return { output: valueForm(output), ...recordOf(recorder, given.record, expected.value) }
  }),

  'QueryPipeline.structure': operation(shape({ pipeline }), (given) => {
    const made = pipelineOf(given.pipeline, new Recorder())
    return { root_keys: made.getRootKeys(), leaf_keys: made.getLeafKeys(), order: made.getStaticOrder() }
  }),
}
