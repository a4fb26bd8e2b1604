/**
 * @module
 * The types of live objects and nested models. They stand in the schema as type arguments, `live<CallbackManager>({ … })`, which
 * are gone when the schema runs; so they are put into its source as an annotation before.
 */
import { dirname, resolve } from 'node:path'
import { CodegenError } from './codegen-error.ts'
import { type ImportedName, importsOf, type SyntaxNode, statementsOf, typeNames, walk } from './source-text.ts'

/** A type as the source says it, and where the names in it come from: packages, or absolute paths of files. */
export interface HeldType {
  text: string
  imports: Readonly<Record<string, ImportedName>>
}

/** What the generator adds to the schema of a field. */
export interface HeldTypes {
  /** The type of the field. */
  value: HeldType
  /** What a constructor takes instead. */
  option?: HeldType
}

/** The key of {@link HeldTypes} in the schema of a field. */
export const heldTypesKey = '~types'

const words = new Set(['live', 'nested'])

/** The source of a schema module, in which each `live<…>(…)` and `nested<…>(…)` carries its types as an annotation. */
export function withHeldTypes(source: string, file: string): string {
  const statements = statementsOf(source)
  const imports = importsOf(statements)
  const edits: { start: number; end: number; text: string }[] = []
  for (const statement of statements)
    walk(statement, (node) => {
      const callee = node['callee'] as { name?: string } | undefined
      const typeArguments = (node['typeParameters'] ?? node['typeArguments']) as { params: SyntaxNode[] } | null
      if (node.type !== 'CallExpression' || !words.has(callee?.name ?? '') || !typeArguments) return
      const [value, option] = typeArguments.params.map((type) => heldType(type, source, imports, file))
      const types = JSON.stringify({ value, option })
      const [given] = node['arguments'] as SyntaxNode[]
      const rest = given ? `, ...(${source.slice(given.start, given.end)})` : ''
      edits.push({
        start: given?.start ?? node.end - 1,
        end: given?.end ?? node.end - 1,
        text: `{ '${heldTypesKey}': ${types}${rest} }`,
      })
    })
  let text = source
  for (const edit of edits.sort((a, b) => b.start - a.start))
    text = text.slice(0, edit.start) + edit.text + text.slice(edit.end)
  return text
}

function heldType(
  type: SyntaxNode,
  source: string,
  imports: ReadonlyMap<string, ImportedName>,
  file: string,
): HeldType {
  const used: Record<string, ImportedName> = {}
  for (const name of typeNames(type)) {
    const imported = imports.get(name)
    if (imported === undefined && !(name in globalThis) && !globalTypes.has(name))
      throw new CodegenError(`${file}: the type ${name} is not imported; types of fields come from other modules.`)
    if (imported === undefined) continue
    const { module } = imported
    used[name] = { name: imported.name, module: module.startsWith('.') ? resolve(dirname(file), module) : module }
  }
  return { text: source.slice(type.start, type.end), imports: used }
}

/** Types that every TypeScript program knows without a value of the same name. */
const globalTypes = new Set(
  (
    'Record Partial Required Readonly Pick Omit Exclude Extract NonNullable Parameters ReturnType InstanceType Awaited ' +
    'ReadonlyArray ReadonlyMap ReadonlySet PromiseLike Iterable AsyncIterable Iterator AsyncIterator Uppercase Lowercase'
  ).split(' '),
)
