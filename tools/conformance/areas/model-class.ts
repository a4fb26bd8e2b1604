/** Model classes that a case names or defines, and instances of them. */
import * as agents from '@x/agents'
import * as pipelines from '@x/agents/pipeline'
import * as protocols from '@x/agents/protocol'
import { toSnakeCase } from '@x/core/values'
import * as core from '@x/core-model'
import { runtimeSpec } from '@x/core-model/runtime'
import { anything, component, freeForm, live, nested, nullable, oneOf, plainRecord } from '@x/core-model/schemas'
import * as nodeParser from '@x/node-parser'
import * as postprocessors from '@x/postprocessors'
import * as prompts from '@x/prompts'
import { Boolean, Integer, Array as ListOf, Number, String, type TSchema } from 'typebox'
import { CaseError, isObject, type Json } from '../given.ts'
import { modelOf } from '../stand-ins/prompts.ts'

/** A class of models with all its static operations. */
export type AnyModelClass = core.ModelClass & Pick<typeof core.Model, keyof typeof core.Model & string>

const exported: Readonly<Record<string, unknown>> = {
  ...core,
  ...prompts,
  ...postprocessors,
  ...nodeParser,
  ...agents,
  ...pipelines,
  ...protocols,
}

function isModelClass(value: unknown): value is AnyModelClass {
  return typeof value === 'function' && value.prototype instanceof core.Model
}

function classNamed(name: string): AnyModelClass {
  const found = exported[name]
  if (isModelClass(found)) return found
  throw new CaseError(`expected the name of a model class, received ${name}`)
}

/** Returns the model class of a case. */
export const classOf = (model: Json): AnyModelClass =>
  typeof model === 'string' ? classNamed(model) : defineClass(model)

function defineClass(defined: Json): AnyModelClass {
  const used = new Map<string, AnyModelClass>((defined.uses ?? []).map((use: Json) => [use.name, defineClass(use)]))
  const nestedFields: Record<string, core.ModelClass[]> = {}
  const fields: Record<string, TSchema> = {}
  for (const each of defined.fields) {
    fields[each.name] = each.runtime
      ? live({ wire: each.name, required: each.required ?? false })
      : schemaOf(each.type, annotationsOf(each), (type) => {
          nestedFields[each.name] = [used.get(type) ?? classNamed(type)]
        })
  }
  const schema =
    defined.base === 'plain'
      ? plainRecord(defined.name, '', fields)
      : component(defined.name, '', fields, { className: defined.class_name ?? null })
  const spec = runtimeSpec(schema)
  return class extends core.Model {
    static override spec() {
      return spec
    }
    static override nested() {
      return nestedFields
    }
  }
}

const bounds = { gt: 'exclusiveMinimum', ge: 'minimum', lt: 'exclusiveMaximum', le: 'maximum' } as const

function annotationsOf(record: Json): core.Dict {
  const annotations: core.Dict = { wire: record.name }
  if ('default' in record) annotations['default'] = record.default
  else if (!record.required) annotations['default'] = null
  for (const key of ['gt', 'ge', 'lt', 'le'] as const) if (key in record) annotations[bounds[key]] = record[key]
  return annotations
}

function schemaOf(type: string, annotations: core.Dict, use: (type: string) => void): TSchema {
  const [, wrapper, wrapped = ''] = /^(list|optional)\[(.*)\]$/.exec(type) ?? []
  if (wrapper === 'list') return ListOf(schemaOf(wrapped, {}, use), annotations)
  if (wrapper === 'optional') {
    const schema: TSchema & { default?: unknown } = nullable(schemaOf(wrapped, {}, use), annotations)
    // A field that may be null is required all the same, unless it has a default.
    if (!('default' in annotations)) delete schema.default
    return schema
  }
  if (type.startsWith('enum:')) return oneOf(type.slice('enum:'.length).split('|'), annotations)
  switch (type) {
    case 'str':
      return String(annotations)
    case 'int':
      return Integer(annotations)
    case 'float':
      return Number(annotations)
    case 'bool':
      return Boolean(annotations)
    case 'dict':
      return freeForm(annotations)
    case 'any':
      return anything(annotations)
  }
  use(type)
  return nested(annotations)
}

/** Live objects for required fields of the library's classes, which no case can contain. */
const liveObjects: Readonly<core.Dict> = {
  docstore: { getNode: async () => null },
  serviceContext: { llm: modelOf({}).llm },
  llm: modelOf({}).llm,
}

/** Values under the API names of their fields, with live objects where the class needs them. */
export function valuesOf(modelClass: Pick<core.ModelClass, 'spec'>, values: Readonly<core.Dict> = {}): core.Dict {
  const { fields } = modelClass.spec()
  const byWire = new Map(Object.entries(fields).map(([name, { wire }]) => [wire ?? toSnakeCase(name), name]))
  const named = Object.fromEntries(Object.entries(values).map(([key, value]) => [byWire.get(key) ?? key, value]))
  for (const [name, { runtime, required }] of Object.entries(fields)) {
    if (runtime && required && named[name] === undefined && liveObjects[name]) named[name] = liveObjects[name]
  }
  return named
}

/** A new instance of values under wire names; nested records are built too. */
export function instanceOf(modelClass: AnyModelClass, values?: Readonly<core.Dict>): core.Model {
  return new modelClass(optionsOf(modelClass, values))
}

function optionsOf(modelClass: Pick<core.ModelClass, 'spec' | 'nested'>, values?: Readonly<core.Dict>) {
  const named = valuesOf(modelClass, values)
  for (const [name, of] of Object.entries(modelClass.nested())) {
    const [first] = 'classes' in of ? of.classes : of
    if (named[name] !== undefined) named[name] = nestedValue(first, named[name])
  }
  return named
}

function nestedValue(modelClass: Json, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => nestedValue(modelClass, item))
  return isObject(value) && modelClass ? new modelClass(optionsOf(modelClass, value)) : value
}

/** Sets a property of a model without its type. */
export function assign(model: core.Model, key: string, value: unknown): void {
  Object.assign(model, { [key]: value })
}

/** Properties of a model by name. */
export const propertyOf = (model: core.Model, key: string): unknown => Reflect.get(model, key)
