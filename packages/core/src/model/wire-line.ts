/**
 * @module
 * Forms of the JSON of models by name.
 */
import type { AnyModelClass, WireLine } from './model-class.ts'
import { invalid } from './report.ts'

/**
 * Returns the form that an option `line` selects. Each class finds the form of a name itself, because this package knows none.
 * @param title - the class that received the option, for the error.
 * @throws {ModelValidationError} if a name is not that of a release of LlamaIndex for Python.
 */
export function wireLine(line: WireLine | string | undefined, title: string): WireLine | undefined {
  if (line == null || (line as WireLine).write) return line as WireLine
  if (typeof line !== 'string' || !/^\d+\.\d/.test(line))
    throw invalid(title, '"0.13.6" or another release', line, ['line'])
  return {
    name: line,
    write: (dict, model) => (model.constructor as unknown as AnyModelClass).inRelease?.(dict, model, line) ?? dict,
  }
}
