import { ChatMessage, chatTokens } from '@x/core-model'
import { ChatMemoryBuffer } from '@x/core-model/memory'
import { ScriptedLLM } from '@x/llm/testing'
import { expect, it } from 'vitest'
import { Task } from '../task/task.ts'
import { summarizeWith } from './summarize.ts'

const task = new Task({ input: 'Book a room.', memory: ChatMemoryBuffer.fromDefaults() })
const call = { id: 'c', name: 'rooms', arguments: '{"day":1}' }

it('sends the task, the notes so far, and each message with its tool calls to the model', async () => {
  const llm = new ScriptedLLM({ answers: ['  Room 4.  '] })
  const messages = [
    new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { tool_calls: [call] } }),
    new ChatMessage({ role: 'tool', content: 'Room 4 is free.' }),
  ]
  const request = { messages, previous: 'It is May.', maxTokens: 50, task, llm }
  expect(await summarizeWith()(request)).toEqual({ text: 'Room 4.', usage: null })
  const [system, user] = llm.calls[0]!.messages!
  expect(system!.role).toBe('system')
  expect(user!.content).toBe(
    [
      'The task: Book a room.',
      'The notes so far: It is May.',
      'assistant: calls rooms {"day":1}',
      'tool: Room 4 is free.',
      'Write at most 50 tokens.',
    ].join('\n\n'),
  )
})

it('shortens long messages and long summaries', async () => {
  const llm = new ScriptedLLM({ answers: ['word '.repeat(1000)] })
  const messages = [new ChatMessage({ role: 'tool', content: 'data '.repeat(50_000) })]
  const { text } = await summarizeWith({ llm })({
    messages,
    previous: null,
    maxTokens: 50,
    task,
    llm: new ScriptedLLM(),
  })
  expect(chatTokens(llm.calls[0]!.messages!)).toBeLessThan(2500)
  expect(text).toContain('tokens left out')
})
