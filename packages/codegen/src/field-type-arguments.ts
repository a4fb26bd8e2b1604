/**
 * @module
 * Reads the types of live objects, nested models and typed data. In a schema they are type arguments, `live<CallbackManager>({ … })`, which do not
 * exist when the schema module runs. Therefore they are added to its source as annotations before it runs.
 */
import { dirname, resolve } from 'node:path'
import { CodegenError } from './codegen-error.ts'
import { type ImportedName, importsOf, type SyntaxNode, statementsOf, typeNames, walk } from './source-text.ts'

/** The source of a type, and the modules of the names in it: packages, or absolute paths of files. */
export interface FieldType {
  text: string
  imports: Readonly<Record<string, ImportedName>>
}

/** The annotation that is added to the schema of a field. */
export interface FieldTypes {
  /** The type of the value. */
  value: FieldType
  /** The type of the constructor option. @defaultValue `value` */
  option?: FieldType
}

/** The key of {@link FieldTypes} in the schema of a field. */
export const fieldTypesKey = '~types'

const typedFunctions = new Set(['live', 'nested', 'typedData'])

/** Returns the source of a schema module in which each `live<…>(…)`, `nested<…>(…)` and `typedData<…>(…)` contains its types as an annotation. */
export function withTypeAnnotations(source: string, file: string): string {
  const statements = statementsOf(source)
  const imports = importsOf(statements)
  const edits: { start: number; end: number; text: string }[] = []
  for (const statement of statements)
    walk(statement, (node) => {
      const callee = node['callee'] as { name?: string } | undefined
      const typeArguments = (node['typeParameters'] ?? node['typeArguments']) as { params: SyntaxNode[] } | null
      if (node.type !== 'CallExpression' || !typedFunctions.has(callee?.name ?? '') || !typeArguments) return
      const [value, option] = typeArguments.params.map((type) => fieldType(type, source, imports, file))
      const types = JSON.stringify({ value, option })
      const [annotations] = node['arguments'] as SyntaxNode[]
      const rest = annotations ? `, ...(${source.slice(annotations.start, annotations.end)})` : ''
      edits.push({
        start: annotations?.start ?? node.end - 1,
        end: annotations?.end ?? node.end - 1,
        text: `{ '${fieldTypesKey}': ${types}${rest} }`,
      })
    })
  let text = source
  for (const edit of edits.sort((a, b) => b.start - a.start))
    text = text.slice(0, edit.start) + edit.text + text.slice(edit.end)
  return text
}

function fieldType(
  type: SyntaxNode,
  source: string,
  imports: ReadonlyMap<string, ImportedName>,
  file: string,
): FieldType {
  const used: Record<string, ImportedName> = {}
  for (const name of typeNames(type)) {
    const imported = imports.get(name)
    if (imported === undefined && !(name in globalThis) && !globalTypes.has(name))
      throw new CodegenError(
        `${file}: the type ${name} is not imported; import the types of fields from another module.`,
      )
    if (imported === undefined) continue
    const { module } = imported
    used[name] = { name: imported.name, module: module.startsWith('.') ? resolve(dirname(file), module) : module }
  }
  return { text: source.slice(type.start, type.end), imports: used }
}

/** Global types of TypeScript that are not also global values. */
const globalTypes = new Set(
  (
    'Record Partial Required Readonly Pick Omit Exclude Extract NonNullable Parameters ReturnType InstanceType Awaited ' +
    'ReadonlyArray ReadonlyMap ReadonlySet PromiseLike Iterable AsyncIterable Iterator AsyncIterator Uppercase Lowercase'
  ).split(' '),
)
