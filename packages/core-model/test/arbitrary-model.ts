/**
 * Instances of any model class for property tests, and the test that every model passes: reading what was written returns an equal
 * instance. Refuses a model that loses, changes or reorders something on the wire.
 */
import {
  ChatMessage,
  ClassRegistry,
  type Dict,
  type FieldSpec,
  type JsonSchema,
  Model,
  type ModelClass,
  messageParts,
  readJsonText,
  toolCallsOf,
  writeJsonText,
} from '@x/core-model'
import { isSystemMessage } from '@x/core-model/components'
import { pythonLine, pythonLines } from '@x/core-model/python'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

/** Hints for a class that its fields do not contain. */
export interface ModelHints {
  /** Field → its live object or component. They are passed again when an instance is read. */
  live?: Dict
  /** Adjusts generated options to rules between fields. */
  adjust?: (options: Dict) => Dict
  /** Options of a class whose options are not its fields. */
  options?: fc.Arbitrary<Dict>
  /** The further options for reading. */
  overrides?: Dict
}

/** Hints by class name; `live` of `''` is for all classes. */
export type HintsByClass = Readonly<Record<string, ModelHints>>

/** Any character, for strings. fast-check makes a table of all of them for its own unit `binary`, which takes seconds. */
export const character = fc.nat(0x10f7ff).map((at) => String.fromCodePoint(at < 0xd800 ? at : at + 0x800))

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: character, maxLength: 5 }),
  fc.constantFrom('', 'null', '{x}', "it's"),
)
const key = fc.oneof(
  fc.string(),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'class_name', '~x-model', '10'),
)

/** A value as reading its JSON returns it: without -0, with integer keys first. */
function asRead(value: unknown): unknown {
  return readJsonText(writeJsonText(value))
}

/** Any JSON value. */
const json = fc
  .letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.oneof(
        text,
        fc.boolean(),
        fc.constant(null),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer(),
        fc.bigInt({ min: 2n ** 53n }),
        fc.bigInt({ max: -(2n ** 53n) }),
      ),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 3 }),
    ),
  }))
  .value.map(asRead)

const object = fc.dictionary(key, json, { maxKeys: 4 }).map(asRead)

function numbers(schema: JsonSchema, isInteger: boolean): fc.Arbitrary<number> {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  if (isInteger) {
    const min = Math.max(minimum ?? -(2 ** 31), exclusiveMinimum === undefined ? -Infinity : exclusiveMinimum + 1)
    const max = Math.min(maximum ?? 2 ** 31, exclusiveMaximum === undefined ? Infinity : exclusiveMaximum - 1)
    return fc.integer({ min: Math.ceil(min), max: Math.floor(max) })
  }
  return fc
    .double({
      noNaN: true,
      noDefaultInfinity: true,
      min: exclusiveMinimum ?? minimum ?? -Number.MAX_VALUE,
      max: exclusiveMaximum ?? maximum ?? Number.MAX_VALUE,
      minExcluded: exclusiveMinimum !== undefined,
      maxExcluded: exclusiveMaximum !== undefined,
    })
    .map((value) => value + 0) // JSON has no -0
}

/** Values that fit the JSON Schema of a field; `nested` returns the models in it. */
function values(schema: JsonSchema, nested: fc.Arbitrary<unknown> | undefined): fc.Arbitrary<unknown> {
  if (schema['x-nested'] !== undefined) return nested ?? fc.constant(null)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((part) => values(part, nested)))
  const types = [schema.type ?? []].flat()
  if (types.length === 0) return json
  return fc.oneof(
    ...types.map((type): fc.Arbitrary<unknown> => {
      switch (type) {
        case 'null':
          return fc.constant(null)
        case 'boolean':
          return fc.boolean()
        case 'string':
          return text
        case 'integer':
        case 'number':
          return numbers(schema, type === 'integer')
        case 'array':
          return fc.array(schema.items ? values(schema.items, nested) : json, { maxLength: 3 })
        default:
          return objects(schema, nested)
      }
    }),
  )
}

function objects({ additionalProperties, propertyNames }: JsonSchema, nested: fc.Arbitrary<unknown> | undefined) {
  if (typeof additionalProperties !== 'object') return object
  const known = (propertyNames as JsonSchema | undefined)?.enum as string[] | undefined
  const item = values(additionalProperties, nested)
  // A map of nested models may contain lists of them.
  const entry = additionalProperties['x-nested'] === undefined ? item : fc.oneof(item, fc.array(item, { maxLength: 2 }))
  return fc.dictionary(known ? fc.constantFrom(...known) : key, entry, { maxKeys: 3 })
}

/** Options for the constructor of a class: every required field, and any of the others. */
function arbitraryOptions(modelClass: ModelClass, hints: HintsByClass = {}, depth = 0): fc.Arbitrary<Dict> {
  const { name: className, fields } = modelClass.spec()
  const own = hints[className] ?? {}
  const live = { ...hints['']?.live, ...own.live }
  const shapes: Record<string, fc.Arbitrary<unknown>> = {}
  const requiredKeys: string[] = []
  for (const [field, spec] of Object.entries(fields) as [string, FieldSpec][]) {
    const of = modelClass.nested()[field]
    if (spec.runtime || spec.holds || (spec.schema['x-nested'] !== undefined && of === undefined)) {
      if (live[field] === undefined && !spec.required) continue
      shapes[field] = fc.constant(live[field])
    } else {
      // A class with the name of an older or newer form only reads; it has no instances.
      const classes = (of === undefined ? [] : 'classes' in of ? of.classes : of).filter(
        (nestedClass) => nestedClass.className() === (nestedClass.spec().className ?? 'base_component'),
      )
      const inner =
        depth < 3 ? classes.map((nestedClass) => arbitraryModel(nestedClass as ModelClass, hints, depth + 1)) : []
      const nested = inner.length > 0 ? fc.oneof(...inner) : undefined
      if (nested === undefined && of !== undefined && !spec.required) continue
      shapes[field] = values(spec.schema, nested)
    }
    if (spec.required) requiredKeys.push(field)
  }
  const options = own.options ?? fc.record(shapes, { requiredKeys })
  return own.adjust ? options.map(own.adjust) : options
}

/** Instances of a class. */
export function arbitraryModel(modelClass: ModelClass, hints: HintsByClass = {}, depth = 0): fc.Arbitrary<Model> {
  return arbitraryOptions(modelClass, hints, depth).map((options) => {
    const { content, parts } = options
    if (modelClass.className() !== 'ChatMessage' || content === undefined || !parts) return new modelClass(options)
    // A message whose content was changed after its parts.
    return new modelClass({ ...options, parts: undefined }).copy({ update: { parts } as Dict })
  })
}

/** The model classes among the exports of a module, by name. */
function modelClassesOf(module: Readonly<Record<string, unknown>>): [string, ModelClass][] {
  return Object.entries(module).filter(
    // Bases without fields of their own are left out.
    (entry): entry is [string, ModelClass] =>
      typeof entry[1] === 'function' &&
      entry[1].prototype instanceof Model &&
      (entry[1] as unknown as ModelClass).spec !== Model.spec,
  )
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value)
    for (const item of Object.values(value)) frozen(item)
  }
  return value
}

/** Live objects and components of an instance, to pass again when it is read. */
function liveOf(model: Model): Dict {
  const { fields } = (model.constructor as unknown as ModelClass).spec()
  const held = Object.entries(fields).filter(([, { runtime, holds }]) => runtime || holds)
  return Object.fromEntries(
    held.map(([field]) => [field, (model as unknown as Dict)[field]]).filter(([, value]) => value != null),
  )
}

function isParts(content: unknown): content is { type: string }[] {
  return Array.isArray(content) && content.every((part) => Object(part) === part && !Array.isArray(part))
}

/** Whether the content of all messages is a string, null, or a list of parts. Newer lines have no form for other content. */
export function hasContent(data: unknown): boolean {
  if (typeof data !== 'object' || data === null) return true
  const { role, content } = data as Dict
  const isRead = role === undefined || content === null || typeof content === 'string'
  return (isRead || (isParts(content) && content.length > 0)) && Object.values(data).every(hasContent)
}

/** Returns the entries of a resource that are not null; null without such entries. */
function withoutNulls(value: unknown): Dict | null {
  const entries = Object.entries(Object(value)).filter(([, item]) => item !== null)
  return entries.length === 0 ? null : Object.fromEntries(entries)
}

/** What data say. The lines of Python have several forms for one message. */
export function said(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(said)
  if (typeof data !== 'object' || data === null) return data
  const dict = data as Dict
  if (!('role' in dict && 'content' in dict && 'additional_kwargs' in dict)) {
    const { parts: _, ...rest } = dict
    const entries = Object.entries('tool_name' in dict ? rest : dict)
    return Object.fromEntries(
      entries.flatMap(([key, item]) => {
        const kept = key.endsWith('_resource') ? withoutNulls(item) : item
        return kept === null ? [] : [[key, said(kept)]]
      }),
    )
  }
  const message = ChatMessage.fromDict(dict)
  const { tool_calls: _, ...kwargs } = message.additionalKwargs
  // What a release has no block for is in the parts alone.
  const all = message.parts ?? (isParts(message.content) ? message.content : [])
  const isKnown = ({ type }: { type: string }) => type === 'text' || type === 'reasoning' || type === 'tool_call'
  const parts = all.length > 0 && !all.some(isKnown) ? [] : messageParts(message).filter(isKnown)
  return {
    // Older lines do not know the role `developer`.
    role: isSystemMessage(message) ? 'system' : message.role,
    parts,
    calls: toolCallsOf(message),
    kwargs,
    unknown: all.filter((part) => !isKnown(part)),
  }
}

/** Tests for every model class that a module exports: each generated instance is read back equal, and its text stays the same. */
export function describeRoundTrips(module: Readonly<Record<string, unknown>>, hints: HintsByClass = {}): void {
  const classes = modelClassesOf(module)
  const named = classes.map(([, modelClass]) => modelClass).filter((known) => known.spec().className !== undefined)
  const registry = new ClassRegistry(named)
  describe('round trip', () => {
    it('knows model classes', () => {
      expect(classes.length).toBeGreaterThan(0)
    })

    it.each(classes)('%s', (_, modelClass) => {
      const { overrides } = hints[modelClass.spec().name] ?? {}
      fc.assert(
        fc.property(arbitraryModel(modelClass, hints), (model) => {
          const given = { ...liveOf(model), ...overrides }
          const dict = model.toDict()
          const again = modelClass.fromDict(frozen(model.toDict()), given, { registry })
          expect(again.constructor).toBe(model.constructor)
          expect(again.toDict()).toEqual(dict)
          expect(again.equals(model)).toBe(true)
          expect(Object.keys(again.toDict())).toEqual(Object.keys(dict))
          const json = model.toJson()
          const second = modelClass.fromDict(readJsonText(json), given, { registry })
          expect(second.toJson()).toBe(json)
          expect(modelClass.fromDict(readJsonText(second.toJson()), given, { registry }).equals(model)).toBe(true)
        }),
      )
    })

    it.each(classes.flatMap(([name, modelClass]) => pythonLines.map((line) => [name, line, modelClass] as const)))(
      '%s in the line %s of Python',
      (_, lineName, modelClass) => {
        const { overrides } = hints[modelClass.spec().name] ?? {}
        const line = pythonLine(lineName)
        fc.assert(
          fc.property(arbitraryModel(modelClass, hints), (model) => {
            const given = { ...liveOf(model), ...overrides }
            fc.pre(hasContent(model.toDict()))
            const text = model.toJson({ line })
            const again = modelClass.fromDict(frozen(readJsonText(text)), given, { registry })
            expect(said(again.toDict())).toEqual(said(model.toDict()))
            expect(again.toJson({ line })).toBe(text)
          }),
          { numRuns: 30 },
        )
      },
    )
  })
}
