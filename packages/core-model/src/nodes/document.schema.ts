import { component } from '@x/core/schemas'
import { nodeId, TextNode } from './text-node.schema.ts'

export const Document = component(
  'Document',
  'The complete text of a source.',
  { id: nodeId(['nodeId', 'doc_id']) },
  { extends: TextNode },
)
