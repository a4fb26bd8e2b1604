/**
 * The conversation in which the requests of an adapter are compared with those of the provider's own client: two questions to an agent
 * with one tool.
 */
import { FunctionCallingAgent, FunctionTool, journal } from '@x/agents'
import { ChatMessage, ToolOutput } from '@x/core-model'
import type { LLM } from '@x/llm'
import { expect } from 'vitest'
import { type Answer, LoopbackServer } from '../../../../../tools/loopback-model-server.ts'
import { pdf, png, type Turns } from './turns.ts'

export const questions = ['How much is 1 + 2?', 'And with 3?'] as const

/** The system prompt of turns whose prompt is cached. */
export const systemPrompt = 'You add.'

/** The schema of the tool `add`. */
export const schema = {
  type: 'object' as const,
  properties: { a: { type: 'number' as const }, b: { type: 'number' as const } },
  required: ['a', 'b'],
}

/** How the agent is run: whole answers, streams, or each step by a new agent that reads what the one before saved. */
export const modes = ['whole', 'streamed', 'in saved steps'] as const
export type Mode = (typeof modes)[number]

/** Expects that both clients send the same bytes. */
export async function expectEqualRequests(
  { answers }: Turns,
  theirs: (baseURL: string) => Promise<unknown>,
  ours: (baseURL: string) => Promise<unknown>,
): Promise<void> {
  const expected = await bodies(answers, theirs)
  expect(expected.length).toBe(answers.length)
  expect(await bodies(answers, ours)).toEqual(expected)
}

/** Numbers the ids that clients make at random, and returns one string for each request. */
function withoutRandomIds(json: string): string[] {
  const ids = new Map<string, string>()
  const numbered = json.replace(/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g, (id) => {
    if (!ids.has(id)) ids.set(id, `id ${ids.size}`)
    return ids.get(id)!
  })
  return (JSON.parse(numbered) as unknown[]).map((body) => JSON.stringify(body, null, 1))
}

/** Returns the bodies of the requests to a server with these answers. */
export async function bodies(answers: Answer[], run: (baseURL: string) => Promise<unknown>): Promise<string[]> {
  const server = new LoopbackServer().willAnswer(...answers)
  try {
    await run(await server.start())
    return withoutRandomIds(JSON.stringify(server.requests.map(({ body }) => body)))
  } finally {
    await server.stop()
  }
}

/** Has the conversation with a model of ours, and returns its messages. */
export async function converse(llm: LLM, { output, cached }: Turns, mode: Mode): Promise<readonly ChatMessage[]> {
  const add = FunctionTool.fromDefaults({
    name: 'add',
    description: 'Adds.',
    schema,
    fn: ({ a, b }: { a: number; b: number }) =>
      output ? ToolOutput.fromParts({ toolName: 'add', parts: outputParts[output] }) : String(a + b),
  })
  const prompt = new ChatMessage({
    role: 'system',
    content: systemPrompt,
    additionalKwargs: { provider_options: { anthropic: { cacheControl: { type: 'ephemeral' } } } },
  })
  const newAgent = (chatHistory: readonly ChatMessage[] = []): FunctionCallingAgent =>
    FunctionCallingAgent.fromTools({
      llm,
      tools: [add],
      chatHistory,
      ...(cached && { prefixMessages: [prompt] }),
      onCutAnswer: 'accept',
      taskStore: journal(),
    })
  let agent = newAgent()
  for (const question of questions) {
    if (mode === 'streamed') for await (const _ of await agent.streamChat(question));
    else if (mode === 'whole') await agent.chat(question)
    else agent = await inSavedSteps(agent, question, newAgent)
  }
  return agent.chatHistory
}

const see = { type: 'text' as const, text: 'See:' }
const outputParts = {
  image: [see, { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${png}` } }],
  file: [
    see,
    {
      type: 'file' as const,
      file: { url: `data:application/pdf;base64,${pdf}`, media_type: 'application/pdf', filename: 'sum.pdf' },
    },
  ],
}

/** Answers a question with a new agent for every step, which reads what the previous one saved as text. */
async function inSavedSteps(
  first: FunctionCallingAgent,
  question: string,
  newAgent: (history: readonly ChatMessage[]) => FunctionCallingAgent,
): Promise<FunctionCallingAgent> {
  let agent = first
  const { taskId } = await agent.createTask(question)
  for (;;) {
    const { isLast } = await agent.runStep(taskId)
    if (isLast) break
    const saved = JSON.stringify(agent.saveTask(taskId))
    agent = newAgent(agent.chatHistory.map((message) => ChatMessage.fromJson(message.toJson())))
    await agent.loadTask(JSON.parse(saved))
  }
  await agent.finalizeResponse(taskId)
  return agent
}
