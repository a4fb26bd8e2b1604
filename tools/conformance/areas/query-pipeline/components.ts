/** Single components. */
import { inputTextOrStream } from '@x/core-model/internal'
import { type Operations, operation } from '../../case.ts'
import { argument, shape } from '../../reader.ts'
import { componentOf } from './pipeline.ts'
import { component } from './pipeline-record.ts'
import { Recorder } from './recorder.ts'
import { value, valueForm, values } from './values.ts'

const sorted = (keys: readonly string[]) => [...keys].sort()

export const components: Operations = {
  stringable: operation(shape({ input: value }), ({ input }) => inputTextOrStream(input)),

  'QueryComponent.keys': operation(shape({ component }), (given) => {
    const { inputKeys, freeReqInputKeys, outputKeys } = componentOf(given.component, new Recorder())
    return {
      required: sorted(inputKeys.required),
      optional: sorted(inputKeys.optional),
      free_required: sorted(freeReqInputKeys),
      output: sorted(outputKeys),
    }
  }),

  'QueryComponent.run': operation(shape({ component, input: values, record: argument<unknown>() }), async (given) => {
    const recorder = new Recorder()
    const output = await componentOf(given.component, recorder).runComponent(given.input)
    return { output: valueForm(output), llm_calls: recorder.calls }
  }),
}
