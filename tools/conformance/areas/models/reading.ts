/** Models read from data, text, files and objects. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Dict } from '@x/core-model'
import { fromOrm, parseFile as parsePythonFile, parseRaw } from '@x/core-model/python'
import type { Operations } from '../../case.ts'
import { assign, classOf, instanceOf, type OfModel, valuesOf } from './model-class.ts'

const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))

interface OfFile extends OfModel {
  file: { name: string; text?: string; base64?: string; absent?: boolean }
  encoding?: string
}

async function parseFile({ model, file: { name, text, base64 }, encoding }: OfFile): Promise<Dict> {
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

interface OfText extends OfModel {
  text: string
  overrides?: Dict
}

type OfRaw = OfText & { base64?: string; contentType?: string; encoding?: string; proto?: 'json' }
type OfValue = OfModel & { value: unknown }

export const reading: Operations = {
  'model.from_dict': ({ model, data, overrides }: OfModel & { data: unknown; overrides?: Dict }) => {
    const modelClass = classOf(model)
    return { dict: modelClass.fromDict(data, valuesOf(modelClass, overrides)).toDict(), data_after: data }
  },

  'model.from_json': ({ model, text, overrides }: OfText) => {
    const modelClass = classOf(model)
    return modelClass.fromJson(text, valuesOf(modelClass, overrides)).toDict()
  },

  'model.parse_obj': ({ model, value }: OfValue) => classOf(model).parseObj(value).toDict(),
  'model.validate': ({ model, value }: OfValue) => classOf(model).validate(value).toDict(),

  'model.validate_instance': ({ model, values, set }: OfModel & { set: { field: string; value: unknown } }) => {
    const modelClass = classOf(model)
    const original = instanceOf(modelClass, values)
    const result = modelClass.validate(original)
    assign(result, set.field, set.value)
    return { same_object: result === original, original: original.toDict(), result: result.toDict() }
  },

  'model.parse_raw': ({ model, text, base64, contentType, encoding, proto }: OfRaw) =>
    parseRaw(classOf(model), base64 === undefined ? text : bytesOf(base64), { contentType, encoding, proto }).toDict(),

  'model.parse_file': parseFile,
  'model.from_orm': ({ model, object }: OfModel & { object: object }) => fromOrm(classOf(model), object).toDict(),
}
