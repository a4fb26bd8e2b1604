/** The wire forms of models. */
import type { JsonOptions } from '@x/core-model'
import { type Operations, operation } from '../../case.ts'
import { apiKeys } from '../../names.ts'
import { argument, literal, object, optional, type Read, shape, string } from '../../reader.ts'
import { assign, instanceOf, modelClass } from './model-class.ts'

const selection = argument<JsonOptions['include']>()

const input = shape({
  model: modelClass,
  values: optional(object),
  options: optional(
    shape({
      include: selection,
      exclude: selection,
      exclude_unset: argument<boolean | undefined>(),
      exclude_defaults: argument<boolean | undefined>(),
      exclude_none: argument<boolean | undefined>(),
      indent: argument<number | undefined>(),
      sort_keys: argument<boolean | undefined>(),
    }),
  ),
})

type Input = Read<typeof input>

const made = ({ model, values }: Input) => instanceOf(model, values)
const optionsOf = ({ options }: Input): JsonOptions => apiKeys(options)

export const writing: Operations = {
  'model.new': operation(input, (given) => made(given).toDict()),

  'model.to_dict': operation(input, (given) => made(given).toDict(optionsOf(given))),

  'model.dict': operation(input, (given) => made(given).dict(optionsOf(given))),

  'model.json': operation(input, (given) => JSON.parse(made(given).json(optionsOf(given)))),

  'model.json_text': operation(input, (given) => made(given).toJson(optionsOf(given))),

  'model.json_nan': operation(
    shape({ model: modelClass, values: optional(object), field: string, number: literal('nan', 'inf', '-inf') }),
    ({ model, values, field, number }) => {
      const object = instanceOf(model, values)
      assign(object, field, { nan: Number.NaN, inf: Infinity, '-inf': -Infinity }[number])
      return object.json()
    },
  ),

  'model.roundtrip': operation(input, (given) => {
    const text = made(given).toJson()
    const again = given.model.fromJson(text)
    if (again.toJson() !== text) throw new Error(`the JSON text changed to ${again.toJson()}`)
    return again.toDict()
  }),
}
