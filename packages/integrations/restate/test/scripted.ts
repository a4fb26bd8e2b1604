/** Scripted agents for tests. */
import { FunctionTool } from '@x/agents'
import { type BaseLLM, ChatMessage, LLMMetadata } from '@x/core-model'
import { durableAgent } from '@x/durable'
import { ScriptedLLM } from '@x/llm/testing'
import type { AgentRun } from '../src/index.ts'

const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })
/** A reply with tool calls. */
export const calls = (...named: [id: string, name: string, args: object][]) =>
  new ChatMessage({
    role: 'assistant',
    content: null,
    additionalKwargs: { tool_calls: named.map(([id, name, args]) => ({ id, name, arguments: JSON.stringify(args) })) },
  })

/** A model whose answers may be errors. All executions share it, so a repeated call needs another answer. */
export const scripted = (...answers: (ChatMessage | string | Error | Promise<never>)[]) =>
  new ScriptedLLM({ answers, metadata })

export const schema = { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] } as const

/** Tools that count how often they run. */
export function tools() {
  const ran: string[] = []
  const tool = (name: string, options: { needsApproval?: boolean; slow?: (to: string) => number } = {}) =>
    FunctionTool.fromDefaults({
      name,
      schema,
      needsApproval: options.needsApproval ?? false,
      fn: async ({ to }, { idempotencyKey }) => {
        ran.push(`${name} ${to} ${idempotencyKey}`)
        await new Promise((resolve) => setTimeout(resolve, options.slow?.(to) ?? 0))
        return `${name} ${to}`
      },
    })
  return { ran, pay: tool('pay', { needsApproval: true }), note: tool('note'), tool }
}

/** Returns the agent of a run. */
export const agentOf = (llm: BaseLLM, agentTools: FunctionTool[] = [], options: object = {}) =>
  durableAgent<AgentRun>(() => ({ llm, tools: agentTools, ...options }))

/** Returns the error that a caller receives when a handler fails. */
export const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('it did not fail')
    },
    ({ status, data }) => ({ status, code: data.metadata?.code, message: data.message as string }),
  )
