/** Models read from data, text, files and objects. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromOrm, parseFile as parsePythonFile, parseRaw } from '@x/core-model/python'
import { type Operations, operation } from '../../case.ts'
import { anything, argument, boolean, object, optional, type Read, shape, string } from '../../reader.ts'
import { type AnyModelClass, assign, instanceOf, modelClass, valuesOf } from './model-class.ts'

const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))

const file = shape({
  name: string,
  text: optional(string),
  base64: optional(string),
  absent: optional(boolean),
})

async function parseFile(model: AnyModelClass, given: Read<typeof file>, encoding: string | undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  try {
    const path = join(folder, given.name)
    const { text, base64 } = given
    if (base64 !== undefined) writeFileSync(path, bytesOf(base64))
    else if (text !== undefined) writeFileSync(path, text)
    return (await parsePythonFile(model, path, { encoding })).toDict()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export const reading: Operations = {
  'model.from_dict': operation(
    shape({ model: modelClass, data: anything, overrides: optional(object) }),
    ({ model, data, overrides }) => ({
      dict: model.fromDict(data, valuesOf(model, overrides)).toDict(),
      data_after: data,
    }),
  ),

  'model.from_json': operation(
    shape({ model: modelClass, text: argument<string>(), overrides: optional(object) }),
    ({ model, text, overrides }) => model.fromJson(text, valuesOf(model, overrides)).toDict(),
  ),

  'model.parse_obj': operation(shape({ model: modelClass, value: anything }), ({ model, value }) =>
    model.parseObj(value).toDict(),
  ),

  'model.validate': operation(shape({ model: modelClass, value: anything }), ({ model, value }) =>
    model.validate(value).toDict(),
  ),

  'model.validate_instance': operation(
    shape({ model: modelClass, values: optional(object), set: shape({ field: string, value: anything }) }),
    ({ model, values, set }) => {
      const original = instanceOf(model, values)
      const result = model.validate(original)
      assign(result, set.field, set.value)
      return { same_object: result === original, original: original.toDict(), result: result.toDict() }
    },
  ),

  'model.parse_raw': operation(
    shape({
      model: modelClass,
      text: argument<string>(),
      base64: optional(string),
      content_type: argument<string | undefined>(),
      encoding: argument<string | undefined>(),
      proto: argument<'json' | undefined>(),
    }),
    ({ model, text, base64, content_type: contentType, encoding, proto }) =>
      parseRaw(model, base64 === undefined ? text : bytesOf(base64), { contentType, encoding, proto }).toDict(),
  ),

  'model.parse_file': operation(
    shape({ model: modelClass, file, encoding: argument<string | undefined>() }),
    ({ model, file, encoding }) => parseFile(model, file, encoding),
  ),

  'model.from_orm': operation(shape({ model: modelClass, object: argument<object>() }), ({ model, object }) =>
    fromOrm(model, object).toDict(),
  ),
}
