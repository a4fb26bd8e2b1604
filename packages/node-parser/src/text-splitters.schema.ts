import { component, live, nullable, textList } from '@x/core-model/schemas'
import { Integer, String as Text } from 'typebox'
import { NodeParser, tokenizer } from './node-parser.schema.ts'
import type { SyntaxParser } from './syntax-pieces.ts'

export const TextSplitter = component(
  'TextSplitter',
  'Splits text into strings.',
  {},
  { className: null, extends: NodeParser },
)

export const MetadataAwareTextSplitter = component(
  'MetadataAwareTextSplitter',
  'Splits text into chunks whose size includes their metadata.',
  {
    chunkSize: Integer({
      otherNames: ['maxTokens', 'maxSize', 'size'],
      minimum: 1,
      description: 'The maximum size of a chunk with its metadata, in tokens.',
      default: 1024,
    }),
    chunkOverlap: Integer({
      minimum: 0,
      description: 'The maximum overlap of two adjacent chunks, in tokens.',
      default: 200,
    }),
    tokenizer,
  },
  { className: null, extends: TextSplitter },
)

export const SentenceSplitter = component(
  'SentenceSplitter',
  'Splits text into chunks of whole sentences.',
  {
    separator: Text({ description: 'The separator between words.', default: ' ' }),
    paragraphSeparator: Text({ description: 'The separator between paragraphs.', default: '\n\n\n' }),
    secondaryChunkingRegex: nullable(Text(), {
      description: 'A regular expression for the parts of a sentence; null splits sentences between words.',
      default: '[^,.;。？！]+[,.;。？！]?',
    }),
    chunkingTokenizerFn: live<(text: string) => readonly string[]>({
      holds: 'function',
      description: 'Splits a paragraph into sentences; null uses the built-in rules.',
    }),
  },
  { extends: MetadataAwareTextSplitter },
)

export const TokenTextSplitter = component(
  'TokenTextSplitter',
  'Splits text into chunks of as many words as fit.',
  {
    chunkOverlap: Integer({
      minimum: 0,
      description: 'The maximum overlap of two adjacent chunks, in tokens.',
      default: 20,
    }),
    separator: Text({ description: 'The separator between words.', default: ' ' }),
    backupSeparators: textList({
      description: 'The separators within a piece that is too large, in this order.',
      default: ['\n'],
    }),
  },
  { extends: MetadataAwareTextSplitter },
)

export const CodeTextSplitter = component(
  'CodeTextSplitter',
  'Splits source code between classes, functions and statements.',
  {
    parser: live<SyntaxParser>({
      holds: ['parse'],
      required: true,
      description: 'Parses the code: a `Parser` of web-tree-sitter with its language.',
    }),
    chunkOverlap: Integer({
      minimum: 0,
      description: 'The maximum overlap of two adjacent chunks, in tokens.',
      default: 0,
    }),
  },
  { extends: MetadataAwareTextSplitter },
)
