/** Prompts as components of query pipelines. */
import { ChatMessage, type Dict } from '@x/core-model'
import type { Operations } from '../../case.ts'
import { componentInputs } from '../../stand-ins/component-inputs.ts'
import { dictsOf } from '../../stand-ins/messages.ts'
import { llmOf, type ModelRecord } from '../../stand-ins/model.ts'
import { type PromptRecord, promptOf } from '../../stand-ins/prompts.ts'

interface OfPrompt {
  prompt: PromptRecord
  llm?: ModelRecord | null
  partial?: Dict
}

const isMessage = (value: unknown): value is ChatMessage => value instanceof ChatMessage

function componentOf({ prompt, llm: record, partial }: OfPrompt) {
  const llm = llmOf(record)
  return promptOf(prompt).asQueryComponent({ partial: partial && componentInputs(partial), ...(llm && { llm }) })
}

export const components: Operations = {
  'query_component.keys': (given: OfPrompt) => {
    const { inputKeys, freeReqInputKeys, outputKeys } = componentOf(given)
    return {
      required: [...inputKeys.required].sort(),
      optional: [...inputKeys.optional].sort(),
      free_required: [...freeReqInputKeys].sort(),
      output: [...outputKeys].sort(),
    }
  },

  'query_component.run': async ({ input, ...given }: OfPrompt & { input: Dict }) => {
    const output = await componentOf(given).runComponent(componentInputs(input))
    const filled = output['prompt']
    return Array.isArray(filled) && filled.every(isMessage) ? { ...output, prompt: dictsOf(filled) } : output
  },
}
