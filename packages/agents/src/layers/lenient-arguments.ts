/**
 * @module
 * Arguments of calls that are not quite JSON.
 */
import type { Layer } from '../loop/layer.ts'
import { readCallArguments } from '../tool/read-arguments.ts'

/** Accepts arguments with comments, single quotes, trailing commas or unquoted keys, and those in a code fence. */
export function lenientArguments(): Layer {
  return { rank: 90, arguments: () => readCallArguments }
}
