/** The inputs of a case in addition to nodes: settings, stores, models and functions. */
import type { NamedEntity } from '@x/postprocessors'
import {
  argument,
  dictionary,
  either,
  list,
  literal,
  number,
  object,
  optional,
  type Read,
  shape,
  string,
} from '../../reader.ts'
import { nodeRecords } from './node-record.ts'

const vectors = optional(dictionary(list(number)))

/** Entities go to the postprocessor as they are: a model may return anything. */
const entities = argument<readonly NamedEntity[]>()

export type Entities = Read<typeof entities>

export const resourceKeys = {
  init: optional(object),
  docstore: optional(nodeRecords),
  llm: optional(shape({ responses: optional(list(string)) })),
  embed: optional(shape({ texts: vectors, queries: vectors })),
  cross_encoder: optional(shape({ scores: argument<number[] | undefined>() })),
  ner: optional(either('entities of one text or by text', list(argument<NamedEntity>()), dictionary(entities))),
  splitter: optional(shape({ separator: string })),
  hooks: optional(
    shape({
      format_node_batch: optional(literal('ids')),
      parse_choice_select: optional(shape({ choices: argument<unknown>(), relevances: argument<unknown>() })),
    }),
  ),
}

export const resources = shape(resourceKeys)

export type Resources = Read<typeof resources>
