import { describe, expectTypeOf, it } from 'vitest'
import { ChatMessage } from '../messages/chat-message.ts'
import { TextNode } from '../nodes/text-node.ts'

describe('reading operations', () => {
  it('return instances of the class that they are called on', () => {
    expectTypeOf(ChatMessage.fromDict({})).toEqualTypeOf<ChatMessage>()
    expectTypeOf(TextNode.fromDict({}).text).toEqualTypeOf<string>()
    expectTypeOf(TextNode.fromJson('{}')).toEqualTypeOf<TextNode>()
    expectTypeOf(TextNode.validate({})).toEqualTypeOf<TextNode>()
    expectTypeOf(TextNode.parseObj({})).toEqualTypeOf<TextNode>()
  })
})
