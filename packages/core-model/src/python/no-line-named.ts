/**
 * @module
 * Forms of releases by name in bundles for browsers, which do not contain them: `#python-line` of the manifest.
 */
import type { Dict } from '@x/core'
import { type AnyModel, invalid } from '@x/core/reading'

/** @throws {ModelValidationError} that says what to pass instead of a name. */
function refuse(_dict: Dict, _model: AnyModel, name: string): Dict {
  throw invalid('toDict', `pythonLine('${name}') of @x/core-model/python`, name, ['line'])
}

export { refuse as messageInRelease, refuse as nodeInRelease, refuse as outputInRelease }
