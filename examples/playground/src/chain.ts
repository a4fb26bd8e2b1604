/** The postprocessors that data alone can make, and their forms. */
import * as all from '@x/postprocessors'
import type { ChainStep } from './state.ts'

type PostprocessorClass = typeof all.SimilarityPostprocessor

/** A field of a form. */
export interface FormField {
  name: string
  description: string
  kind: 'choice' | 'flag' | 'number' | 'list' | 'text'
  choices?: readonly string[]
  isWhole?: boolean
  min?: number
  max?: number
  byDefault: unknown
}

/** Functions that these classes need, which no form can make. */
const given: Readonly<Record<string, Record<string, unknown>>> = {
  NERPIINodePostprocessor: { ner: all.findPatterns },
}

/** The classes whose required fields are data, by name: found by their schemas. */
export const formClasses: Readonly<Record<string, PostprocessorClass>> = Object.fromEntries(
  Object.entries(all as unknown as Record<string, PostprocessorClass>).filter(([, made]) => isFormable(made)),
)

function isFormable(made: PostprocessorClass): boolean {
  if (typeof made !== 'function' || !(made.prototype instanceof all.NodePostprocessor)) return false
  const { properties = {}, required = [] } = schemaOf(made)
  // A class that embeds or asks needs a model, whether its schema requires one or not.
  const needsModel = ['embedModel', 'crossEncoder', 'llm'].some((name) => properties[name]?.isLive)
  return !needsModel && (required as string[]).every((name) => kindOf(properties[name]!) !== undefined)
}

interface Property {
  type?: string | string[]
  enum?: string[]
  items?: { type?: string }
  description?: string
  default?: unknown
  minimum?: number
  maximum?: number
  isLive: boolean
}

function schemaOf(made: PostprocessorClass): { properties?: Record<string, Property>; required?: unknown } {
  const { properties = {}, required } = made.schema({ extensions: true, byAlias: false }) as {
    properties?: Record<string, Property>
    required?: unknown
  }
  // Fields that hold objects with methods, such as models and stores, are marked in the spec of a class, not in its schema.
  const { fields } = made.spec()
  const marked = Object.entries(properties).map(([name, schema]) => {
    const { runtime, holds } = fields[name] ?? {}
    return [name, { ...schema, isLive: runtime !== undefined || holds !== undefined }]
  })
  return { properties: Object.fromEntries(marked), required }
}

/** Returns the description of a class. */
export function descriptionOf(name: string): string {
  return (formClasses[name]?.schema() as { description?: string } | undefined)?.description ?? ''
}

/** Returns the form of a class. */
export function formOf(name: string): FormField[] {
  const made = formClasses[name]
  const properties = Object.entries((made && schemaOf(made).properties) ?? {})
  return properties.flatMap(([field, schema]) => {
    const kind = field === 'class_name' ? undefined : kindOf(schema)
    if (kind === undefined) return []
    const { description = '', default: byDefault = null, minimum, maximum } = schema
    return [
      {
        name: field,
        description,
        kind,
        byDefault,
        ...(schema.enum && { choices: schema.enum }),
        ...(kind === 'number' && { isWhole: [schema.type].flat().includes('integer') }),
        ...(minimum !== undefined && { min: minimum }),
        ...(maximum !== undefined && { max: maximum }),
      },
    ]
  })
}

function kindOf(schema: Property): FormField['kind'] | undefined {
  const [type] = [schema.type].flat()
  if (schema.isLive) return undefined
  if (schema.enum) return 'choice'
  if (type === 'boolean') return 'flag'
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'array') return schema.items?.type === 'string' ? 'list' : undefined
  return type === 'string' ? 'text' : undefined
}

/** @throws {ModelValidationError} if a field has a wrong value. */
export function makePostprocessor({ name, fields }: ChainStep): all.NodePostprocessor {
  const made = formClasses[name]
  if (!made) throw new Error(`There is no postprocessor "${name}" for this page.`)
  return new made({ ...fields, ...given[name] })
}
