import { checkGiven, checkOptions, type OptionChecks, unchecked } from '@x/core/options'
import { type AnyModelClass, fieldsOf } from '@x/core/reading'

/**
 * Checks the options of an adapter, whose constructor takes its own options together with the fields of its base. The base checks the
 * values of the fields.
 * @param base - the class that declares the fields, such as `LLM`.
 * @param title - the name of the adapter, for errors.
 * @param own - a check for each option that is not a field.
 * @throws {ModelValidationError} for an option that is invalid or unknown; it names the nearest option.
 * @example
 * import { wholeNumber } from '@x/core/options'
 * const table = { maxTokens: wholeNumber(1) }
 * checkModelOptions(LLM, 'SmallLLM', { maxTokens: 5, systemPrompt: 'Be brief.' }, table)
 * checkModelOptions(LLM, 'SmallLLM', { maxToken: 5 }, table) // => throws model_validation
 */
export function checkModelOptions(
  base: Pick<AnyModelClass, 'spec' | 'nested' | 'makeDefault'>,
  title: string,
  options: object,
  own: OptionChecks,
): void {
  checkGiven('checkModelOptions', { base }, (value) => ('spec' in Object(value) ? undefined : 'a class of models'))
  const fields = fieldsOf(base).map(({ name }) => [name, unchecked] as const)
  checkOptions(title, options, { ...Object.fromEntries(fields), ...own })
}
