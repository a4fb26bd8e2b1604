/**
 * A plugin of TypeDoc that names modules as they are imported: `@x/agents/loop`. The tag `@module` of the sources is followed by a sentence
 * about the module, which TypeDoc would take for its name.
 */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Converter, ReflectionKind } from 'typedoc'

/** The name of the entry whose source is a file. */
function entryOf(file) {
  const folder = dirname(file).replace(/[\\/]src$/, '')
  const { name, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const entry = Object.keys(exports).find((key) => {
    const source = exports[key]['@x/source']
    return source !== undefined && join(folder, source) === join(file)
  })
  return entry === undefined ? undefined : name + entry.slice(1)
}

/** @param {import('typedoc').Application} app */
export function load(app) {
  const rename = (context, reflection) => {
    if (!reflection.kindOf(ReflectionKind.Module)) return
    const file = context.getSymbolFromReflection(reflection)?.declarations?.[0]?.getSourceFile().fileName
    const name = file && entryOf(file)
    if (name === undefined) return
    reflection.name = name
    const { comment } = reflection
    const tag = comment?.getTag('@module')
    if (tag === undefined) return
    comment.summary = tag.content
    comment.removeTags('@module')
  }
  // Before TypeDoc reads the tag.
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, rename, 1000)
}
