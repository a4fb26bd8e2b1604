import { anything, component } from '@x/core/schemas'
import { String as Text } from 'typebox'
import { TextNode } from './text-node.schema.ts'

export const IndexNode = component(
  'IndexNode',
  'A node that represents another object, such as a table.',
  {
    indexId: Text({ description: 'Id of the object that this node represents.' }),
    obj: anything({ description: 'The object itself.', default: null }),
  },
  { extends: TextNode },
)
