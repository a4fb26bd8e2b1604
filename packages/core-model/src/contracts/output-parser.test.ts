import { describe, expect, it } from 'vitest'
import { ChatMessage } from '../messages/chat-message.ts'
import { BaseOutputParser } from './output-parser.ts'

class Plain extends BaseOutputParser<string> {
  parse(output: string) {
    return output
  }
}
class Loud extends Plain {
  override format(query: string) {
    return `${query}!`
  }
}

const contents = (messages: ChatMessage[]) => new Loud().formatMessages(messages).map(({ content }) => content)
const system = () => new ChatMessage({ role: 'system', content: 's', additionalKwargs: { a: 1 } })
const user = (content: unknown = 'u') => ChatMessage.fromDict({ content })

describe('BaseOutputParser', () => {
  it('changes nothing unless format does', () => {
    expect(new Plain().format('q')).toBe('q')
    expect(new Plain().formatMessages([user()]).map(String)).toEqual(['user: u'])
    expect(new Loud().formatMessages([])).toEqual([])
  })

  it('formats the first message if it is a system message, otherwise the last', () => {
    expect(contents([system(), user()])).toEqual(['s!', 'u'])
    expect(contents([user('a'), user('b')])).toEqual(['a', 'b!'])
    expect(contents([user(), system()])).toEqual(['u', 's!'])
  })

  it('treats the role developer of newer Python as system', () => {
    const developer = ChatMessage.fromDict({ role: 'developer', content: 'd' })
    expect(contents([developer, user()])).toEqual(['d!', 'u'])
    expect(new Loud().formatMessages([developer, user()])[0]?.role).toBe('developer')
  })

  it('formats the last text part of list content, or adds one', () => {
    const image = { type: 'image_url' }
    const text = (value: string) => ({ type: 'text', text: value })
    expect(contents([user([text('a'), text('b'), image])])).toEqual([[text('a'), text('b!'), image]])
    expect(contents([user([image])])).toEqual([[image, text('!')]])
    expect(contents([user(null)])).toEqual(['!'])
  })

  it('keeps role and additionalKwargs, and does not change the passed messages', () => {
    const given = system()
    const [formatted] = new Loud().formatMessages([given])
    expect(formatted).toMatchObject({ role: 'system', additionalKwargs: { a: 1 } })
    expect(given.content).toBe('s')
  })
})
