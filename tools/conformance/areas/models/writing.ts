/** The wire forms of models. */
import type { Dict, JsonOptions } from '@x/core-model'
import type { Operations } from '../../case.ts'
import { apiKeys, named } from '../../given.ts'
import { assign, classOf, instanceOf, type OfModel } from './model-class.ts'

type Input = OfModel & { options?: Dict }

const made = ({ model, values }: Input) => instanceOf(classOf(model), values)
const optionsOf = ({ options }: Input): JsonOptions => apiKeys(options)
const numbers = { nan: Number.NaN, inf: Infinity, '-inf': -Infinity }

export const writing: Operations = {
  'model.new': (given: Input) => made(given).toDict(),
  'model.to_dict': (given: Input) => made(given).toDict(optionsOf(given)),
  'model.dict': (given: Input) => made(given).dict(optionsOf(given)),
  'model.json': (given: Input) => JSON.parse(made(given).json(optionsOf(given))),
  'model.json_text': (given: Input) => made(given).toJson(optionsOf(given)),

  'model.json_nan': ({ field, number, ...given }: Input & { field: string; number: string }) => {
    const object = made(given)
    assign(object, field, named(numbers, number))
    return object.json()
  },

  'model.roundtrip': (given: Input) => {
    const text = made(given).toJson()
    const again = classOf(given.model).fromJson(text)
    if (again.toJson() !== text) throw new Error(`the JSON text changed to ${again.toJson()}`)
    return again.toDict()
  },
}
