import { kindOf } from '@x/core/values'
import { ToolkitError } from '@x/core-model'

/**
 * Thrown for a variable whose value has no text form: null, an array, an object or a function; and for other values than
 * messages. Pass a string, or map the variable to a function that returns one.
 */
export class InvalidVariableError extends ToolkitError {
  /** Name of the variable. */
  readonly variable: string

  constructor(variable: string, value: unknown, expected?: string) {
    super(
      'InvalidVariableError',
      'invalid_variable',
      `Variable {${variable}}: expected ${expected ?? 'a string, number or boolean'}, received ${kindOf(value)}${expected ? '' : '; convert it to a string'}.`,
    )
    this.variable = variable
  }
}

/**
 * Thrown when a foreign prompt needs the model of its own framework. Pass the adapter of a model of that framework, or set
 * `requiresForeignLlm` to false.
 */
export class ForeignLLMRequiredError extends ToolkitError {
  constructor() {
    super(
      'ForeignLLMRequiredError',
      'foreign_llm_required',
      'ForeignPromptTemplate: requiresForeignLlm is true, but the model does not wrap a foreign model.',
    )
  }
}

/** Thrown for a prompt key or module name that does not exist, or that contains a colon. Use a key that `getPrompts` returns. */
export class PromptKeyError extends ToolkitError {
  readonly key: string

  constructor(key: string, message: string) {
    super('PromptKeyError', 'prompt_key', `Prompt key "${key}": ${message}.`)
    this.key = key
  }
}

declare module '@x/core' {
  interface ToolkitErrors {
    foreign_llm_required: ForeignLLMRequiredError
    invalid_variable: InvalidVariableError
    prompt_key: PromptKeyError
  }
}
