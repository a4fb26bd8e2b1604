import { applyToolDecision, FunctionCallingAgent, journal, outcomeOf } from '@x/agents'
import type { BaseLLM, TaskStore } from '@x/core-model'
import { generateText, type LanguageModel, stepCountIs } from 'ai'
import { pay, payOfAiSdk } from './shared.ts'

/** The client sends its message, later its decisions. The store has the task, for any process. */
export async function approvalOverHttp(llm: BaseLLM, store: TaskStore, request: Request) {
  const { taskId, message = '', decisions = [] } = await request.json()
  const agent = FunctionCallingAgent.fromTools({ llm, tools: [pay], taskStore: journal(store) })
  if (decisions.length > 0) await agent.resumeTask(taskId)
  for (const decision of decisions) await applyToolDecision(agent, taskId, decision)
  return Response.json(await outcomeOf(agent.chat(message, { taskId })))
}

/** The client sends all messages, later with its decisions as messages. */
export async function withTheAiSdk(model: LanguageModel, request: Request) {
  const { messages } = await request.json()
  const tools = { pay: payOfAiSdk }
  const { content, text, responseMessages } = await generateText({ model, tools, stopWhen: stepCountIs(5), messages })
  const waiting = content.filter(({ type }) => type === 'tool-approval-request')
  return Response.json({ text, waiting, messages: [...messages, ...responseMessages] })
}
