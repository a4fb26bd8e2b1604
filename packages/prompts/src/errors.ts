import { ToolkitError } from '@x/core-model'
import { kindOf } from '@x/core-model/internal'

/** A template's variable got a value that has no text form: null, a list, an object or a function. */
export class InvalidVariableError extends ToolkitError {
  /** Name of the variable. */
  readonly variable: string

  constructor(variable: string, value: unknown) {
    super(
      'InvalidVariableError',
      'invalid_variable',
      `Variable {${variable}}: expected a text, number or boolean, received ${kindOf(value)}; turn it into text before passing it.`,
    )
    this.variable = variable
  }
}

/** A foreign prompt needs the model of its own framework. */
export class ForeignLLMRequiredError extends ToolkitError {
  constructor() {
    super(
      'ForeignLLMRequiredError',
      'foreign_llm_required',
      'ForeignPromptTemplate: requiresForeignLlm is set, and the model wraps no foreign model.',
    )
  }
}

/** A prompt key or module name that does not exist, or that holds a colon. */
export class PromptKeyError extends ToolkitError {
  readonly key: string

  constructor(key: string, message: string) {
    super('PromptKeyError', 'prompt_key', `Prompt key "${key}": ${message}.`)
    this.key = key
  }
}

declare module '@x/core-model' {
  interface ToolkitErrors {
    foreign_llm_required: ForeignLLMRequiredError
    invalid_variable: InvalidVariableError
    prompt_key: PromptKeyError
  }
}
