import { oneOf, textList } from '@x/core-model/schemas'
import { Boolean as Bool, String as Text } from 'typebox'
import { nodePostprocessor } from '../node-postprocessor.schema.ts'

export const KeywordNodePostprocessor = nodePostprocessor(
  'KeywordNodePostprocessor',
  'Filters nodes by the words in their text.',
  {
    requiredKeywords: textList({
      description:
        'A node must contain one of these keywords, or all of them (see match). An empty list accepts every node.',
      default: [],
    }),
    excludeKeywords: textList({ description: 'A node that contains one of these keywords is dropped.', default: [] }),
    lang: Text({ description: 'The language tag of the nodes; it determines word boundaries.', default: 'en' }),
    match: oneOf(['any', 'all'], {
      extension: true,
      description: 'Whether any required keyword is enough, or all must occur.',
      default: 'any',
    }),
    caseSensitive: Bool({ extension: true, description: 'Whether Red and red are different keywords.', default: true }),
    wordBoundaries: Bool({
      extension: true,
      description: 'Whether a keyword must match whole words; false also matches inside words.',
      default: true,
    }),
  },
)
