import { ChatMessage } from '@x/core-model'
import { expect, it } from 'vitest'
import type { TaskLike } from '../task/task-like.ts'
import { JsonProtocol } from './json/json-protocol.ts'
import { newLoopState } from './loop-state.ts'
import { NativeProtocol } from './native/native-protocol.ts'
import { ReActChatFormatter } from './react/react-chat-formatter.ts'
import { ReActOutputParser } from './react/react-output-parser.ts'
import { ReActProtocol } from './react/react-protocol.ts'

it('protocols need no task of a runner', async () => {
  const history = [
    new ChatMessage({ role: 'user', content: 'Hi' }),
    new ChatMessage({ role: 'assistant', content: 'Yes?' }),
  ]
  const react = new ReActProtocol({
    formatter: new ReActChatFormatter(),
    outputParser: new ReActOutputParser(),
    onParseError: 'observe',
  })
  for (const protocol of [new NativeProtocol(), new JsonProtocol(), react]) {
    const memory = { get: () => history, getAll: () => history }
    const task: TaskLike = { taskId: 't', input: '', memory, extraState: newLoopState(protocol) }
    protocol.acceptInput(new ChatMessage({ role: 'user', content: 'Rain?' }), { stepState: { is_first: true } }, task)
    const { messages } = await protocol.request({ task, tools: [], toolChoice: 'auto' })
    expect(messages.map(({ content }) => content).slice(-3)).toEqual(['Hi', 'Yes?', 'Rain?'])
  }
})
