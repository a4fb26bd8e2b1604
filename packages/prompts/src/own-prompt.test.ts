import { fields, integer } from '@x/core-model/fields'
import { expect, it } from 'vitest'
import { ChatPromptTemplate } from './chat-prompt-template.ts'
import { PromptTemplate } from './prompt-template.ts'

class NumberedPrompt extends fields(PromptTemplate, 'NumberedPrompt', { firstNumber: integer({ default: 1 }) }) {
  override format(...args: Parameters<PromptTemplate['format']>): string {
    const lines = super.format(...args).split('\n')
    return lines.map((line, index) => `${this.firstNumber + index}. ${line}`).join('\n')
  }
}
class RatedChat extends fields(ChatPromptTemplate, 'RatedChat', { rating: integer() }) {}

it('a custom prompt class keeps its fields when values are stored and when it is read back', () => {
  const prompt = new NumberedPrompt({ template: '{a}\n{b}', firstNumber: 3, vars: { b: 'B' } })
  expect(prompt.format({ a: 'A' })).toBe('3. A\n4. B')
  expect(prompt.partialFormat({ a: 'A' }).format()).toBe('3. A\n4. B')
  const again = NumberedPrompt.fromJson(prompt.toJson())
  expect(again).toBeInstanceOf(NumberedPrompt)
  expect(again.equals(prompt)).toBe(true)
  expect(again.format({ a: 'A' })).toBe('3. A\n4. B')
  const chat = new RatedChat({ messageTemplates: [{ role: 'user', content: '{a}' }], rating: 5 })
  expect(RatedChat.fromJson(chat.toJson()).rating).toBe(5)
})
