/** Single components. */
import type { Dict } from '@x/core-model'
import { inputTextOrStream } from '@x/core-model/components'
import type { Operations } from '../../case.ts'
import { type ComponentRecord, componentOf } from './pipeline.ts'
import { Recorder } from './recorder.ts'
import { valueForm, valueOf, valuesOf } from './values.ts'

const sorted = (keys: readonly string[]) => [...keys].sort()

interface OfComponent {
  component: ComponentRecord
  input: Dict
  record?: unknown
}

export const components: Operations = {
  stringable: ({ input }: { input: unknown }) => inputTextOrStream(valueOf(input)),

  'QueryComponent.keys': ({ component }: OfComponent) => {
    const { inputKeys, freeReqInputKeys, outputKeys } = componentOf(component, new Recorder())
    return {
      required: sorted(inputKeys.required),
      optional: sorted(inputKeys.optional),
      free_required: sorted(freeReqInputKeys),
      output: sorted(outputKeys),
    }
  },

  // The requests of models are always recorded.
  'QueryComponent.run': async ({ component, input, record: _ }: OfComponent) => {
    const recorder = new Recorder()
    const output = await componentOf(component, recorder).runComponent(valuesOf(input))
    return { output: valueForm(output), llm_calls: recorder.calls }
  },
}
