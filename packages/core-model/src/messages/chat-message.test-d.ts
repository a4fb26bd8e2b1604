import { expectTypeOf, it } from 'vitest'
import { ChatMessage, type ContentPart, isTextPart } from '../index.ts'

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
