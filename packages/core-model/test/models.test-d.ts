import { fields, string } from '@x/core/fields'
import { describe, expectTypeOf, it } from 'vitest'
import {
  ChatMessage,
  type ContentPart,
  isTextPart,
  isToolkitError,
  type MissingVariableError,
  TextNode,
} from '../src/index.ts'

describe('reading operations', () => {
  it('return instances of the class that they are called on', () => {
    expectTypeOf(ChatMessage.fromDict({})).toEqualTypeOf<ChatMessage>()
    expectTypeOf(TextNode.fromDict({}).text).toEqualTypeOf<string>()
    expectTypeOf(TextNode.fromJson('{}')).toEqualTypeOf<TextNode>()
    expectTypeOf(TextNode.validate({})).toEqualTypeOf<TextNode>()
    expectTypeOf(TextNode.parseObj({})).toEqualTypeOf<TextNode>()
  })
})

describe('own fields', () => {
  it('are typed for a class that extends a built-in node', () => {
    class CodeNode extends fields(TextNode, 'CodeNode', { language: string() }) {}
    const node = new CodeNode({ text: 'x', language: 'py' })
    expectTypeOf(node.language).toEqualTypeOf<string>()
    expectTypeOf(node.text).toEqualTypeOf<string>()
    expectTypeOf(node.getContent()).toEqualTypeOf<string>()
    // @ts-expect-error misspelt option of the base
    new CodeNode({ txt: 'x', language: 'py' })
  })
})

describe('isToolkitError', () => {
  it('knows the errors of this package', () => {
    const error: unknown = null
    if (isToolkitError(error, 'missing_variable')) expectTypeOf(error).toEqualTypeOf<MissingVariableError>()
  })
})

it('the content of a message is a string, parts or null', () => {
  expectTypeOf<ChatMessage['content']>().toEqualTypeOf<string | ContentPart[] | null>()
  const message = new ChatMessage({
    content: [
      { type: 'text', text: 'Who is that?' },
      { type: 'image_url', image_url: { url: 'a.png', detail: 'low' } },
      { type: 'file', file: { url: 'a.pdf', media_type: 'application/pdf' } },
      { type: 'reasoning', text: 'Hm.' },
    ],
  })
  const { content } = message
  if (Array.isArray(content)) {
    for (const part of content) if (part.type === 'file') expectTypeOf(part.file.url).toBeString()
    expectTypeOf(content.filter(isTextPart).map(({ text }) => text)).toEqualTypeOf<string[]>()
  }
})

it('misspelt parts do not compile', () => {
  // @ts-expect-error The type is image_url.
  new ChatMessage({ content: [{ type: 'image', image_url: { url: 'a.png' } }] })
  // @ts-expect-error The address stands in image_url.url.
  new ChatMessage({ content: [{ type: 'image_url', image_url: 'a.png' }] })
  // @ts-expect-error A number is neither text nor parts.
  new ChatMessage({ content: 5 })
})
