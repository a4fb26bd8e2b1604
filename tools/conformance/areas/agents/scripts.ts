/** Scripts of calls on an agent. */
import type { Dict } from '@x/core-model'
import type { Case, Operations } from '../../case.ts'
import { named } from '../../given.ts'
import { type CallRecord, runCalls } from '../../script.ts'
import { messageRecord } from '../../stand-ins/messages.ts'
import { conversationCalls } from './conversation-calls.ts'
import { inspectionCalls } from './inspection-calls.ts'
import { type AgentInput, Stage } from './stage.ts'
import { stepCalls } from './step-calls.ts'

const agentCalls = { ...conversationCalls, ...stepCalls, ...inspectionCalls }

/** What a case may record beside the results. */
const recorded: Readonly<Record<string, (stage: Stage) => unknown>> = {
  llm_calls: ({ recorder }) => recorder.calls,
  n_llm_calls: ({ recorder }) => recorder.calls.length,
  history: ({ agent }) => agent.chatHistory.map(messageRecord),
  events: ({ log }) => log.events(),
  retriever_queries: ({ queries }) => queries,
  executed: ({ recorder }) => recorder.executed,
}

interface Script {
  calls: CallRecord[]
  record?: string[]
}

/** A script on any agent. */
export async function agentScript(
  { calls, record = [], ...input }: Script & AgentInput,
  { expect }: Case,
): Promise<Dict> {
  const stage = new Stage(input)
  const results = await runCalls(agentCalls, calls, stage, expect.value)
  return { results, ...Object.fromEntries(record.map((name) => [name, named(recorded, name)(stage)])) }
}

export const agentScripts: Operations = {
  'AgentRunner.script': agentScript,
  'ParallelAgentRunner.script': ({ options, ...given }: Script & Pick<AgentInput, 'worker'> & { options?: Dict }, of) =>
    agentScript({ ...given, agent: { type: 'parallel', options } }, of),
}
