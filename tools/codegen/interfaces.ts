import { modelSpec } from '../../packages/core-model/src/field-specs.ts'
import type { JsonSchema } from '../../packages/core-model/src/model/json-schema.ts'

const lowerFirst = (name: string): string =>
  name.replace(/^[A-Z]+(?=[A-Z][a-z]|$)|^[A-Z]/, (start) => start.toLowerCase())

/** The TypeScript type of a field's value; `input` is what a constructor takes. */
function typeOf(schema: JsonSchema, input: boolean): string {
  if (schema['x-runtime'] !== undefined) return schema['type'] as string
  if (schema['x-nested'] !== undefined)
    return input && schema['options'] !== undefined
      ? `${schema['type']} | ${schema['options']}`
      : (schema['type'] as string)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value).replace(/^"(.*)"$/, "'$1'")).join(' | ')
  if (schema.anyOf) return schema.anyOf.map((part) => typeOf(part, input)).join(' | ')
  const types = [schema.type ?? []].flat().map((type) => {
    if (type === 'integer' || type === 'number') return 'number'
    if (type === 'array') {
      const item = schema.items ? typeOf(schema.items, input) : 'unknown'
      return `${input ? 'readonly ' : ''}${/[|&=]/.test(item) ? `(${item})` : item}[]`
    }
    if (type !== 'object') return type
    const values = (
      schema['patternProperties'] ? Object.values(schema['patternProperties'])[0] : schema.additionalProperties
    ) as JsonSchema | undefined
    return typeof values === 'object' ? `Record<string, ${typeOf(values, input)}>` : 'Record<string, unknown>'
  })
  return types.length > 0 ? types.join(' | ') : 'unknown'
}

function importsOf(schema: JsonSchema, found: Map<string, string>): void {
  for (const [name, module] of Object.entries((schema['imports'] as Record<string, string> | undefined) ?? {}))
    found.set(name, module)
  for (const part of [
    schema.items,
    ...(schema.anyOf ?? []),
    schema.additionalProperties,
    ...Object.values((schema['patternProperties'] as object | undefined) ?? {}),
  ]) {
    if (typeof part === 'object' && part !== null) importsOf(part, found)
  }
}

function comment(lines: readonly (string | undefined)[]): string {
  const text = lines.filter((line) => line !== undefined && line !== '').join(' ')
  return text === '' ? '' : `  /** ${text} */\n`
}

/** The source of a module with the interfaces and the spec of each model. */
export function interfacesOf(models: readonly { name: string; schema: JsonSchema }[], inCore: boolean): string {
  const imports = new Map<string, string>()
  const parts: string[] = []
  for (const { name, schema } of models) {
    const fields: string[] = []
    const options: string[] = []
    for (const [field, fieldSchema] of Object.entries(schema.properties ?? {})) {
      importsOf(fieldSchema, imports)
      const given = fieldSchema.default
      const live = fieldSchema['x-runtime'] !== undefined || fieldSchema['x-nested'] !== undefined
      const type = typeOf(fieldSchema, false)
      const optional = 'default' in fieldSchema
      const absent = optional && live && !type.split(' | ').includes('null') ? ' | null' : ''
      const wrap = (text: string): string => (text.includes('=>') && absent ? `(${text})` : text)
      const isBounded = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].some(
        (keyword) => keyword in fieldSchema,
      )
      fields.push(
        `${comment([fieldSchema.description])}  ${isBounded ? 'readonly ' : ''}${field}: ${wrap(type)}${absent}`,
      )
      const defaultText =
        optional && !live && (given !== null || /null|unknown/.test(type))
          ? `@defaultValue ${JSON.stringify(given).replaceAll('*/', '*\\/')}`
          : undefined
      options.push(
        `${comment([fieldSchema.description, defaultText])}  ${field}${optional ? '?' : ''}: ${wrap(typeOf(fieldSchema, true))}${absent}${optional ? ' | undefined' : ''}`,
      )
    }
    const spec = modelSpec(schema, { describe: false })
    parts.push(
      `/** The fields of {@link ${name}}. */\nexport interface ${name}Fields {\n${fields.join('\n')}\n}`,
      `/** What {@link ${name}} is built from. */\nexport interface ${name}Options {\n${options.join('\n')}\n}`,
      `/** @internal */\nexport const ${lowerFirst(name)}Spec: ModelSpec = ${JSON.stringify(spec)}`,
    )
  }
  const byModule = new Map<string, string[]>([[inCore ? './model/model-spec.ts' : '@x/core-model', ['ModelSpec']]])
  for (const [name, module] of imports) byModule.set(module, [...(byModule.get(module) ?? []), name])
  const lines = [...byModule]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([module, names]) => {
      const from = module.startsWith('./') ? `.${module}` : module
      return `import type { ${[...new Set(names)].sort().join(', ')} } from '${from}'`
    })
  return ['// Generated from the schemas by tools/codegen. Do not edit.', ...lines, '', parts.join('\n\n'), ''].join(
    '\n',
  )
}
