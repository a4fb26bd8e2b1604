import { component } from '@x/core-model/schemas'
import { NodeParser } from './node-parser.schema.ts'

export const TextSplitter = component(
  'TextSplitter',
  'Splits text into strings.',
  {},
  { className: null, extends: NodeParser },
)
