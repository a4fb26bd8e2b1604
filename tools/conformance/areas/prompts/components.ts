/** Prompts as components of query pipelines. */
import { ChatMessage } from '@x/core-model'
import { type Operations, operation } from '../../case.ts'
import { nullable, optional, shape } from '../../reader.ts'
import { componentInputs } from '../../stand-ins/component-inputs.ts'
import { dictsOf } from '../../stand-ins/messages.ts'
import { llmOf, model } from '../../stand-ins/model.ts'
import { prompt, promptOf } from '../../stand-ins/prompts.ts'

const isMessage = (value: unknown): value is ChatMessage => value instanceof ChatMessage

export const components: Operations = {
  'query_component.keys': operation(shape({ prompt, partial: optional(componentInputs) }), (given) => {
    const { inputKeys, freeReqInputKeys, outputKeys } = promptOf(given.prompt).asQueryComponent({
      partial: given.partial,
    })
    return {
      required: [...inputKeys.required].sort(),
      optional: [...inputKeys.optional].sort(),
      free_required: [...freeReqInputKeys].sort(),
      output: [...outputKeys].sort(),
    }
  }),

  'query_component.run': operation(
    shape({ prompt, llm: optional(nullable(model)), partial: optional(componentInputs), input: componentInputs }),
    async (given) => {
      const llm = llmOf(given.llm)
      const component = promptOf(given.prompt).asQueryComponent({ partial: given.partial, ...(llm && { llm }) })
      const output = await component.runComponent(given.input)
      const filled = output['prompt']
      return Array.isArray(filled) && filled.every(isMessage) ? { ...output, prompt: dictsOf(filled) } : output
    },
  ),
}
