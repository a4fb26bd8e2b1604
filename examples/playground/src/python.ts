/** JSON of LlamaIndex for Python as objects, and back. */
import { ClassRegistry, type ModelClass } from '@x/core'
import { compactJson, parseExactly } from '@x/core/values'
import * as models from '@x/core-model'
import * as postprocessors from '@x/postprocessors'
import * as prompts from '@x/prompts'

/** All classes that can be read: not the abstract ones, which have no fields or no name of their own. */
const registry = new ClassRegistry(
  [models, prompts, postprocessors].flatMap((module) => Object.values(module) as unknown[]).filter(isModelClass),
)

function isModelClass(value: unknown): value is ModelClass {
  if (typeof value !== 'function' || !('spec' in value) || !('fromDict' in value)) return false
  try {
    return Boolean((value as ModelClass).spec()) && (value as ModelClass).className() !== 'base_component'
  } catch {
    return false
  }
}

export interface PythonObject {
  className: string
  /** The fields of the object. */
  fields: [name: string, value: string][]
  /** Where the JSON that is written back differs: empty if it is the same. */
  differences: string[]
  back: string
}

/** Reads JSON of Python. @throws {ToolkitError} saying where it is wrong. */
export function readPython(text: string): PythonObject {
  const data = parseExactly(text)
  const model = registry.fromDict(data)
  const back = model.toDict()
  return {
    className: (model.constructor as ModelClass).className(),
    fields: Object.entries(model).map(([name, value]) => [name, brief(value)]),
    differences: differencesOf(data, back),
    back: model.toJson({ indent: 2 }),
  }
}

function brief(value: unknown): string {
  if (typeof value === 'function' || value === undefined) return '–'
  try {
    const text = compactJson(value)
    return text.length > 200 ? `${text.slice(0, 200)} …` : text
  } catch {
    return String(value)
  }
}

/** Returns the paths at which two values differ, with both values. */
function differencesOf(given: unknown, written: unknown, path = ''): string[] {
  if (Object.is(given, written)) return []
  const isTree = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
  if (isTree(given) && isTree(written) && Array.isArray(given) === Array.isArray(written))
    return [...new Set([...Object.keys(given), ...Object.keys(written)])].flatMap((key) =>
      differencesOf(given[key], written[key], path === '' ? key : `${path}.${key}`),
    )
  const shown = (value: unknown) => (value === undefined ? 'nothing' : brief(value))
  return [`${path}: read ${shown(given)}, writes ${shown(written)}`]
}
