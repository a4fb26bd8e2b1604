import { oneOf, textList } from '@x/core-model/schemas'
import { Boolean as Bool, String as Text } from 'typebox'
import { nodePostprocessor } from '../node-postprocessor.schema.ts'

export const KeywordNodePostprocessor = nodePostprocessor(
  'KeywordNodePostprocessor',
  'Keeps or drops nodes by the words in their text.',
  {
    requiredKeywords: textList({
      description: 'A node must hold one of these (or all, see match); none asks for nothing.',
      default: [],
    }),
    excludeKeywords: textList({ description: 'A node that holds one of these is dropped.', default: [] }),
    lang: Text({ description: 'Language tag of the texts: decides where words begin and end.', default: 'en' }),
    match: oneOf(['any', 'all'], {
      extension: true,
      description: 'Whether one required keyword is enough or all must occur.',
      default: 'any',
    }),
    caseSensitive: Bool({ extension: true, description: 'Whether Red and red are different words.', default: true }),
    wordBoundaries: Bool({
      extension: true,
      description: 'Whether a keyword must stand as whole words; false finds it inside words too.',
      default: true,
    }),
  },
)
