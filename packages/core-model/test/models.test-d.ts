import { fields, string } from '@x/core/fields'
import { describe, expectTypeOf, it } from 'vitest'
import { ChatMessage, isToolkitError, type MissingVariableError, TextNode } from '../src/index.ts'

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
