/** Scripts of calls on an agent. */
import type { Dict } from '@x/core-model'
import { type Expectation, type Operations, operation } from '../../case.ts'
import { list, named, optional, shape } from '../../reader.ts'
import { type Call, callReader, runCalls } from '../../script.ts'
import { messageRecord } from '../../stand-ins/messages.ts'
import { type AgentInput, agentKeys, agentOptions, worker } from './agent-input.ts'
import { conversationCalls } from './conversation-calls.ts'
import { inspectionCalls } from './inspection-calls.ts'
import { Stage } from './stage.ts'
import { stepCalls } from './step-calls.ts'

const agentCall = callReader<Stage>({ ...conversationCalls, ...stepCalls, ...inspectionCalls })

/** One thing that a case records beside the results. */
type Recorded = (stage: Stage) => Dict

const recorded = named<Recorded>({
  llm_calls: ({ recorder }) => ({ llm_calls: recorder.calls }),
  n_llm_calls: ({ recorder }) => ({ n_llm_calls: recorder.calls.length }),
  history: ({ agent }) => ({ history: agent.chatHistory.map(messageRecord) }),
  events: ({ log }) => ({ events: log.events() }),
  retriever_queries: ({ queries }) => ({ retriever_queries: queries }),
  executed: ({ recorder }) => ({ executed: recorder.executed }),
})

const scriptKeys = { calls: list(agentCall), record: optional(list(recorded)) }

interface Script {
  calls: Call<Stage>[]
  record?: Recorded[]
}

async function runScript(input: AgentInput, { calls, record = [] }: Script, { value }: Expectation): Promise<Dict> {
  const stage = new Stage(input)
  const results = await runCalls(calls, stage, value)
  return Object.assign({ results }, ...record.map((read) => read(stage)))
}

/** A script on any agent. */
export const agentScript = operation(shape({ ...agentKeys, ...scriptKeys }), (given, expected) =>
  runScript(given, given, expected),
)

export const agentScripts: Operations = {
  'AgentRunner.script': agentScript,

  'ParallelAgentRunner.script': operation(
    shape({ ...scriptKeys, worker, options: optional(agentOptions) }),
    (given, expected) =>
      runScript({ agent: { type: 'parallel', options: given.options }, worker: given.worker }, given, expected),
  ),
}
