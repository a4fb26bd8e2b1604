import { expect, it } from 'vitest'
import { chatMessages } from './chat-input.ts'
import { ChatMessage } from './chat-message.ts'

const message = new ChatMessage({ role: 'system', content: 'Be brief.' })

it('a string and content parts become one user message', () => {
  expect(chatMessages('Hi').map((each) => each.toDict())).toEqual([
    { role: 'user', content: 'Hi', additional_kwargs: {} },
  ])
  const parts = [
    { type: 'text' as const, text: 'Who is that?' },
    { type: 'image_url' as const, image_url: { url: 'a.png' } },
  ]
  expect(chatMessages(parts).map((each) => each.toDict())).toEqual([
    { role: 'user', content: parts, additional_kwargs: {} },
  ])
})

it('messages are returned unchanged', () => {
  expect(chatMessages(message)).toEqual([message])
  const messages = [message, message]
  expect(chatMessages(messages)).toBe(messages)
  expect(chatMessages([])).toEqual([])
  const typed = [Object.assign(new ChatMessage(), { type: 'mine' })]
  expect(chatMessages(typed)).toBe(typed)
})

it.each([[undefined], [null], [5], [{}], [[null]], [['Hi']], [[{ role: 'user', content: 'Hi' }]]])(
  '%j is refused',
  (input) => {
    expect(() => chatMessages(input as never, 'streamChat')).toThrow(
      /^streamChat\.messages: expected a string, content parts, a ChatMessage or an array of them, received /,
    )
  },
)
