/**
 * @module
 * Checks the arguments of a tool call against a JSON Schema.
 */
import { checkGiven } from '../check-options.ts'
import { checksOf } from './schema-checks.ts'
import { type CheckedArguments, checkerOf } from './value-check.ts'

/** Options of {@link checkArguments}. */
interface CheckArgumentsOptions {
  /**
   * What happens where the schema restricts values in a way that cannot be checked: `refuse` is an issue for every value that such a part
   * concerns; `accept` skips the part. @defaultValue 'refuse'
   */
  unchecked?: 'refuse' | 'accept' | undefined
}

/**
 * Validates a value. A string that contains a number is converted where only a number is valid. A `null` for an optional property that
 * does not accept it counts as absent, because models write it for arguments that they leave out. An integer that a number cannot
 * represent is not valid where only a number is. The value itself is not changed.
 *
 * Checks all keywords of JSON Schema 2020-12, and `items`, `additionalItems`, `dependencies` and `definitions` of draft 7, in linear time.
 * Cannot check: `unevaluatedProperties`, `unevaluatedItems`, `$dynamicRef`, references out of the schema or to anchors, patterns that are
 * invalid in JavaScript, refer to groups, have modifiers or more than 10,000 characters, and a string that takes a pattern too many steps.
 * Formats are `date`, `time`, `date-time`, `duration`, `email`, `hostname`, `ipv4`, `ipv6`, `uri` and `uuid`; other formats, unknown
 * keywords and malformed operands are ignored, as JSON Schema demands.
 * @example
 * const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
 * checkArguments(schema, { n: '3' }).value // => { n: 3 }
 * checkArguments({ type: 'object', properties: { n: { type: 'integer' } } }, { n: null }).value // => {}
 * checkArguments(schema, {}).issues // => [{ path: 'n', message: 'expected an integer, received nothing' }]
 */
export function checkArguments(
  schema: object,
  value: unknown,
  { unchecked }: CheckArgumentsOptions = {},
): CheckedArguments {
  checkGiven('checkArguments', { schema }, 'a JSON Schema')
  return checkerOf(schema, checksOf(schema), unchecked === 'accept')(value)
}
