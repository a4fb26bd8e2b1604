// Generated from the schema of the model by x-codegen. Do not edit.
import { Model, modelOf } from '@x/core'

/** The fields of {@link CompletionResponse}. */
export interface CompletionResponseFields {
  /** The text; in a stream, everything so far. */
  text: string
  /** Further data of the provider. @defaultValue {} */
  additionalKwargs: Record<string, unknown>
  /** What the provider sent, as plain data. @defaultValue null */
  raw: Record<string, unknown> | null
  /** In a stream, the new piece. @defaultValue null */
  delta: string | null
}

/** Constructor options of {@link CompletionResponse}. */
export interface CompletionResponseOptions {
  /** The text; in a stream, everything so far. */
  text: string
  /** Further data of the provider. @defaultValue {} */
  additionalKwargs?: Readonly<Record<string, unknown>> | undefined
  /** What the provider sent, as plain data. @defaultValue null */
  raw?: Readonly<Record<string, unknown>> | null | undefined
  /** In a stream, the new piece. @defaultValue null */
  delta?: string | null | undefined
}

declare abstract class Declared extends Model {
  constructor(options: CompletionResponseOptions)
}
interface Declared extends CompletionResponseFields {}

/** The typed base class of {@link CompletionResponse}. */
export const CompletionResponseModel = /* @__PURE__ */ modelOf<typeof Declared>(Model, {
  name: 'CompletionResponse',
  description: 'The answer of a completion model, whole or so far.',
  className: 'CompletionResponse',
  record: true,
  fields: {
    text: { schema: { type: 'string', description: 'The text; in a stream, everything so far.' }, required: true },
    additionalKwargs: { schema: { type: 'object', description: 'Further data of the provider.' }, default: {} },
    raw: { schema: { description: 'What the provider sent, as plain data.', type: ['object', 'null'] } },
    delta: { schema: { type: ['string', 'null'], description: 'In a stream, the new piece.' } },
  },
})
