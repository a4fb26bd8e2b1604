/** A stand-in for the prompt of another framework. */
import { ChatMessage, type Dict } from '@x/core-model'
import type { ForeignPrompt } from '@x/prompts'

export interface ForeignPromptRecord {
  template: string
  input_variables: readonly string[]
  partial_variables?: Readonly<Dict>
}

export class DescribedForeignPrompt implements ForeignPrompt {
  readonly template: string
  readonly inputVariables: readonly string[]
  readonly partialVariables: Readonly<Dict>

  constructor({ template, input_variables, partial_variables = {} }: ForeignPromptRecord) {
    this.template = template
    this.inputVariables = input_variables
    this.partialVariables = partial_variables
  }

  partial(vars: Readonly<Dict>): ForeignPrompt {
    return new DescribedForeignPrompt({
      template: this.template,
      input_variables: this.inputVariables.filter((name) => !Object.hasOwn(vars, name)),
      partial_variables: { ...this.partialVariables, ...vars },
    })
  }

  format(vars: Readonly<Dict>): string {
    const values = { ...this.partialVariables, ...vars }
    return this.template.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (!(name in values)) throw new Error(`foreign prompt: no value for ${name}`)
      return String(values[name])
    })
  }

  formatMessages(vars: Readonly<Dict>): ChatMessage[] {
    return [new ChatMessage({ content: this.format(vars) })]
  }
}
