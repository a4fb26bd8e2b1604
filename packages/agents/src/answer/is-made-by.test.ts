import { ScriptedLLM } from '@x/llm/testing'
import { expect, it } from 'vitest'
import { AgentChatResponse, ReActAgent, StreamingAgentChatResponse, TaskStepOutput } from '../index.ts'
import { QueryResponse } from './query-response.ts'

class Noted extends AgentChatResponse {}

it('what an agent makes is an instance of the classes that read it', async () => {
  const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Answer: a', 'Answer: b', 'Answer: c'] }) })
  const answer = await agent.chat('x')
  const [output] = agent.getCompletedSteps(agent.listTasks()[0]!.taskId)
  expect(answer).toBeInstanceOf(AgentChatResponse)
  expect(output).toBeInstanceOf(TaskStepOutput)
  expect(await agent.query('x')).toBeInstanceOf(QueryResponse)
  const streamed = await agent.streamChat('x')
  expect(streamed).toBeInstanceOf(AgentChatResponse)
  expect(streamed).toBeInstanceOf(StreamingAgentChatResponse)
  expect(answer).not.toBeInstanceOf(Noted)
  expect(new Noted()).toBeInstanceOf(AgentChatResponse)
  expect(new Noted()).toBeInstanceOf(Noted)
  for (const other of [null, {}, answer]) expect(other).not.toBeInstanceOf(TaskStepOutput)
})
