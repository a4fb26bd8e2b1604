/** The cases of `models.json`. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Dict, isNode, type JsonOptions, type Model } from '@x/core-model'
import {
  fromOrm,
  lineOf,
  type PythonLineName,
  parseFile as parsePythonFile,
  parseRaw,
  pythonLine,
  updateForwardRefs,
} from '@x/core-model/python'
import { type Case, defineArea, type Operations } from '../case.ts'
import { expectEqual } from '../compare.ts'
import { apiKeys, CaseError, isObject, type Json, named } from '../given.ts'
import { customModel, embedding, languageModel, messages } from './language-models.ts'
import { assign, classOf, instanceOf, propertyOf, valuesOf } from './model-class.ts'

/** Compares names as sets, and of each listed property the listed attributes. */
function checkSchema({ model }: Json, { expect: { value } }: Case): unknown {
  const expected: Json = value
  const { properties = {}, required = [] } = classOf(model).schema()
  expectEqual(Object.keys(properties).sort(), [...expected.property_names].sort(), {}, 'value.property_names')
  expectEqual([...required].sort(), [...expected.required].sort(), {}, 'value.required')
  for (const [name, attributes] of Object.entries<Json>(expected.properties)) {
    const property: unknown = properties[name]
    const received = isObject(property) ? property : {}
    for (const [key, attribute] of Object.entries(attributes))
      expectEqual(received[key], attribute, {}, `value.properties.${name}.${key}`)
  }
  return value
}

const classes: Operations = {
  'model.class_name': ({ model }) => classOf(model).className(),
  'model.schema': checkSchema,
  'model.schema_json': ({ model }) => Object.keys(JSON.parse(classOf(model).schemaJson()).properties).sort(),

  'model.schema_isolation': ({ model, drop }) => {
    const modelClass = classOf(model)
    const { properties } = modelClass.schema()
    if (properties) delete properties[drop]
    return Object.keys(modelClass.schema().properties ?? {}).sort()
  },

  'model.update_forward_refs': ({ model }) => {
    classOf(model)
    return updateForwardRefs()
  },

  'model.default_isolation': ({ model, field, append }) => {
    const modelClass = classOf(model)
    const value = propertyOf(instanceOf(modelClass), field)
    if (!Array.isArray(value)) throw new Error(`given.field: ${field} is not a list`)
    value.push(append)
    return instanceOf(modelClass).toDict()
  },
}

// Copies of models.

const setOnly = (model: Model) => model.toDict({ excludeUnset: true })

/** Writes a value at a path, such as `["metadata", "tags", 0]`. */
function writeAt(target: Model, path: readonly (string | number)[], value: unknown): void {
  const last = path.at(-1)
  let container: unknown = target
  for (const key of path.slice(0, -1)) container = Object(container)[key]
  if (last === undefined || typeof container !== 'object' || container === null)
    throw new Error(`given.path: there is nothing at ${path.join('.')}`)
  Object.assign(container, { [last]: value })
}

const copying: Operations = {
  'model.construct': ({ model, values, fieldsSet }) => {
    const modelClass = classOf(model)
    const object: Model = modelClass.construct<Model, Dict>(valuesOf(modelClass, values), fieldsSet)
    return { dict: object.toDict(), set_only: setOnly(object) }
  },

  'model.copy': ({ model, values, include, exclude, update, deep }) => {
    const original = instanceOf(classOf(model), values)
    const copy = original.copy({ include, exclude, update, deep })
    return { copy: copy.toDict(), set_only: setOnly(copy), original: original.toDict() }
  },

  'model.copy_isolation': (given) => {
    const original = instanceOf(classOf(given.model), given.values)
    const copy = original.copy({ deep: given.deep })
    writeAt(copy, given.path, given.value)
    return { copy: copy.toDict(), original: original.toDict() }
  },

  'model.copy_runtime': ({ model, values, deep, fields }) => {
    const original = instanceOf(classOf(model), values)
    const copy = original.copy({ deep })
    return fields.every((field: Json) => propertyOf(copy, field) === propertyOf(original, field))
  },
}

// Models read from data, text, files and objects.

const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))

async function parseFile({ model, file: { name, text, base64 }, encoding }: Json): Promise<Dict> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  try {
    const path = join(folder, name)
    if (base64 !== undefined) writeFileSync(path, bytesOf(base64))
    else if (text !== undefined) writeFileSync(path, text)
    return (await parsePythonFile(classOf(model), path, { encoding })).toDict()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const reading: Operations = {
  'model.from_dict': ({ model, data, overrides }) => {
    const modelClass = classOf(model)
    return { dict: modelClass.fromDict(data, valuesOf(modelClass, overrides)).toDict(), data_after: data }
  },

  'model.from_json': ({ model, text, overrides }) => {
    const modelClass = classOf(model)
    return modelClass.fromJson(text, valuesOf(modelClass, overrides)).toDict()
  },

  'model.parse_obj': ({ model, value }) => classOf(model).parseObj(value).toDict(),
  'model.validate': ({ model, value }) => classOf(model).validate(value).toDict(),

  'model.validate_instance': ({ model, values, set }) => {
    const modelClass = classOf(model)
    const original = instanceOf(modelClass, values)
    const result = modelClass.validate(original)
    assign(result, set.field, set.value)
    return { same_object: result === original, original: original.toDict(), result: result.toDict() }
  },

  'model.parse_raw': ({ model, text, base64, contentType, encoding, proto }) =>
    parseRaw(classOf(model), base64 === undefined ? text : bytesOf(base64), { contentType, encoding, proto }).toDict(),

  'model.parse_file': parseFile,
  'model.from_orm': ({ model, object }) => fromOrm(classOf(model), object).toDict(),
}

// The wire forms of models.

const made = ({ model, values }: Json) => instanceOf(classOf(model), values)
const jsonOptions = ({ options }: Json): JsonOptions => apiKeys(options)
const numbers = { nan: Number.NaN, inf: Infinity, '-inf': -Infinity }

const writing: Operations = {
  'model.new': (given) => made(given).toDict(),
  'model.to_dict': (given) => made(given).toDict(jsonOptions(given)),
  'model.dict': (given) => made(given).dict(jsonOptions(given)),
  'model.json': (given) => JSON.parse(made(given).json(jsonOptions(given))),
  'model.json_text': (given) => made(given).toJson(jsonOptions(given)),

  'model.json_nan': ({ field, number, ...given }) => {
    const object = made(given)
    assign(object, field, named(numbers, number))
    return object.json()
  },

  'model.roundtrip': (given) => {
    const text = made(given).toJson()
    const again = classOf(given.model).fromJson(text)
    if (again.toJson() !== text) throw new Error(`the JSON text changed to ${again.toJson()}`)
    return again.toDict()
  },
}

// Models in the forms of the lines of LlamaIndex for Python. The line is a field of the case.

/** The line that a case states. */
function statedLine({ line }: Case) {
  if (line === undefined) throw new CaseError('expected a field line beside op')
  return pythonLine(line as PythonLineName)
}

const lines: Operations = {
  'line.write': ({ model, data }, testCase) =>
    classOf(model)
      .fromDict(data)
      .toDict({ line: statedLine(testCase) }),

  'line.hash': ({ model, data }, testCase) => {
    const node = classOf(model).fromDict(data)
    if (!isNode(node)) throw new CaseError('given.model: expected a class of nodes')
    return statedLine(testCase).hashOf(node)
  },

  'line.of': ({ data }) => lineOf(data),
}

// The cases of `models.json`.

export const area = defineArea([
  classes,
  writing,
  reading,
  copying,
  messages,
  embedding,
  languageModel,
  customModel,
  lines,
])
