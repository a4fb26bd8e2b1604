/** Whole pipelines. */
import type { Dict } from '@x/core-model'
import type { Operations } from '../../case.ts'
import { isObject } from '../../given.ts'
import { type PipelineRecord, pipelineOf } from './pipeline.ts'
import { Recorder } from './recorder.ts'
import { valueForm, valueOf, valuesOf } from './values.ts'

interface OfPipeline {
  pipeline: PipelineRecord
  /** What the value contains beside the output. */
  record?: string[]
  /** Concerns only the reference: here every operation is asynchronous. */
  noAsync?: boolean
}

interface Input {
  args?: unknown[]
  kwargs?: Dict
  return_values_direct?: boolean
}

/** The values that a case expects beside the output, in `record` or by listing it in its value. */
function recordOf(recorder: Recorder, { record: asked = [], noAsync: _ }: OfPipeline, expected: unknown): Dict {
  const isAsked = (key: string) => asked.includes(key) || (isObject(expected) && key in expected)
  return {
    executed: [...recorder.executed].sort(),
    ...(isAsked('llm_calls') && { llm_calls: recorder.calls }),
    ...(isAsked('agent_histories') && { agent_histories: recorder.histories }),
  }
}

export const pipelines: Operations = {
  'QueryPipeline.run': async ({ input, ...given }: OfPipeline & { input: Input }, { expect }) => {
    const recorder = new Recorder()
    const { args = [], kwargs = {}, return_values_direct: returnValuesDirect } = input
    const made = pipelineOf(given.pipeline, recorder)
    const output = await made.run({ args: args.map(valueOf), inputs: valuesOf(kwargs) }, { returnValuesDirect })
    return { output: valueForm(output), ...recordOf(recorder, given, expect.value) }
  },

  'QueryPipeline.run_multi': async ({ input, ...given }: OfPipeline & { input: Record<string, Dict> }, { expect }) => {
    const recorder = new Recorder()
    // An input of a root that is not an object goes to the pipeline as it is.
    const inputs = Object.entries(input).map(([root, of]) => [root, isObject(of) ? valuesOf(of) : of])
    const output = await pipelineOf(given.pipeline, recorder).runMulti(Object.fromEntries(inputs))
    return { output: valueForm(output), ...recordOf(recorder, given, expect.value) }
  },

  'QueryPipeline.structure': ({ pipeline }: OfPipeline) => {
    const made = pipelineOf(pipeline, new Recorder())
    return { root_keys: made.getRootKeys(), leaf_keys: made.getLeafKeys(), order: made.getStaticOrder() }
  },
}
