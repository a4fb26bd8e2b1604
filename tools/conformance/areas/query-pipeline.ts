/** The cases of `query-pipeline.json`. */
import type { Dict } from '@x/core-model'
import { inputTextOrStream } from '@x/core-model/components'
import { defineArea, type Operations } from '../case.ts'
import { isObject, type Json } from '../given.ts'
import { Recorder } from '../stand-ins/runs.ts'
import { agentScript } from './agents.ts'
import { componentOf, pipelineOf, valueForm, valueOf, valuesOf } from './pipelines.ts'

const sorted = (keys: readonly string[]) => [...keys].sort()

const components: Operations = {
  stringable: ({ input }) => inputTextOrStream(valueOf(input)),

  'QueryComponent.keys': ({ component }) => {
    const { inputKeys, freeReqInputKeys, outputKeys } = componentOf(component, new Recorder())
    return {
      required: sorted(inputKeys.required),
      optional: sorted(inputKeys.optional),
      free_required: sorted(freeReqInputKeys),
      output: sorted(outputKeys),
    }
  },

  // The requests of models are always recorded.
  'QueryComponent.run': async ({ component, input, record: _ }) => {
    const recorder = new Recorder()
    const output = await componentOf(component, recorder).runComponent(valuesOf(input))
    return { output: valueForm(output), llm_calls: recorder.calls }
  },
}

// Whole pipelines.

/** The values that a case expects beside the output, in `record` or by listing it in its value. */
function recordOf(recorder: Recorder, { record: asked = [], noAsync: _ }: Json, expected: unknown): Dict {
  const isAsked = (key: string) => asked.includes(key) || (isObject(expected) && key in expected)
  return {
    executed: [...recorder.executed].sort(),
    ...(isAsked('llm_calls') && { llm_calls: recorder.calls }),
    ...(isAsked('agent_histories') && { agent_histories: recorder.histories }),
  }
}

const pipelines: Operations = {
  'QueryPipeline.run': async ({ input, ...given }, { expect }) => {
    const recorder = new Recorder()
    const { args = [], kwargs = {}, return_values_direct: returnValuesDirect } = input
    const made = pipelineOf(given.pipeline, recorder)
    const output = await made.run({ args: args.map(valueOf), inputs: valuesOf(kwargs) }, { returnValuesDirect })
    return { output: valueForm(output), ...recordOf(recorder, given, expect.value) }
  },

  'QueryPipeline.run_multi': async ({ input, ...given }, { expect }) => {
    const recorder = new Recorder()
    // An input of a root that is not an object goes to the pipeline as it is.
    const inputs = Object.entries(input).map(([root, of]) => [root, isObject(of) ? valuesOf(of) : of])
    const output = await pipelineOf(given.pipeline, recorder).runMulti(Object.fromEntries(inputs))
    return { output: valueForm(output), ...recordOf(recorder, given, expect.value) }
  },

  'QueryPipeline.structure': ({ pipeline }) => {
    const made = pipelineOf(pipeline, new Recorder())
    return { root_keys: made.getRootKeys(), leaf_keys: made.getLeafKeys(), order: made.getStaticOrder() }
  },
}

// The cases of `query-pipeline.json`.

export const area = defineArea([components, pipelines, { 'QueryPipelineAgent.script': agentScript }], {
  matchers: true,
})
