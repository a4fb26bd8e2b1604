/**
 * @module
 * The agent of a durable task, with what its engine needs.
 */
import { FunctionCallingAgent, type FunctionCallingAgentOptions, journal, ReActAgent } from '@x/agents'
import { SavedTaskError, TaskNotFoundError } from '@x/agents/errors'
import type { BaseAgentRunner } from '@x/agents/protocol'
import { type BaseMemory, ConfigurationError } from '@x/core-model'
import { isPromise, raceAbort } from '@x/core-model/async'
import { createAgent } from './durable-errors.ts'
import type { TaskRun } from './durable-tasks.ts'
import type { StoredTasksOptions } from './stored-tasks-options.ts'
import { isForkOfOther, type TaskRecord, type TaskRecords } from './task-record.ts'
import { createSubmittedTask, submittedMemory } from './task-submission.ts'

/** What an engine passes to the agent of a run. */
type EngineOptions = Pick<TaskRun, 'durable' | 'newId' | 'now' | 'taskStore'>

/** Options of an agent, without those of the engine. */
type OwnOptions<Options> = Omit<Options, keyof EngineOptions>

const WHEN_ASYNC = 'load before: agent: async (run) => { …; return durableAgent(() => options)(run) }.'

/**
 * Returns the function that makes the agent of a durable task, for the option `agent` of `StoredTasks`, DBOS and Restate. It adds to your
 * options what the engine needs to continue a task: where calls and steps are saved, and ids and times that are the same when they are
 * repeated. What has to be loaded before: `agent: async (run) => { …; return durableAgent(() => options)(run) }`.
 * @param optionsOf - receives the run with the data of its submission in `context`, and returns the options of the agent
 * @param agent - the class of the agent. @defaultValue `FunctionCallingAgent` for models with tool calls, `ReActAgent` for others
 * @example
 * import { MemoryTaskStore } from '@x/agents'
 *
 * const llm = new ScriptedLLM({ answers: ['Answer: Paris'] })
 * const tasks = new StoredTasks({ store: new MemoryTaskStore(), agent: durableAgent(() => ({ llm })) })
 * await tasks.start()
 * const { response } = await tasks.answer(await tasks.submit('Capital of France?'))
 * await tasks.stop()
 * response // => 'Paris'
 */
export function durableAgent<Run extends EngineOptions = TaskRun>(
  optionsOf: (run: Run) => OwnOptions<FunctionCallingAgentOptions>,
): (run: Run) => FunctionCallingAgent | ReActAgent
export function durableAgent<Options extends object, Agent, Run extends EngineOptions = TaskRun>(
  optionsOf: (run: Run) => OwnOptions<Options>,
  agent: { fromTools(options: Options): Agent },
): (run: Run) => Agent
export function durableAgent(
  optionsOf: (run: EngineOptions) => object,
  agent?: { fromTools(options: object): unknown },
): (run: EngineOptions) => unknown {
  return (run) => {
    const { durable, newId, now, taskStore } = run
    const own = optionsOf(run)
    if (isPromise(own))
      throw new ConfigurationError(`durableAgent: expected options, received a promise; ${WHEN_ASYNC}`)
    const options = { ...own, durable, newId, now, taskStore }
    const { llm } = options as FunctionCallingAgentOptions
    const made = agent ?? (llm?.metadata?.isFunctionCallingModel ? FunctionCallingAgent : ReActAgent)
    return (made as NonNullable<typeof agent>).fromTools(options)
  }
}

/**
 * Returns an agent that has the task of a record, and the conversation of the task in a chat store.
 * @throws {AgentSetupError} if there is no agent for it, or no chat store.
 */
export async function agentOf(
  record: TaskRecord,
  records: TaskRecords,
  run: Pick<StoredTasksOptions, 'chatStore' | 'journal' | 'store'> &
    Required<Pick<StoredTasksOptions, 'agent'>> & { signal: AbortSignal },
): Promise<{ agent: BaseAgentRunner; memory: BaseMemory | undefined }> {
  const { chatStore, signal } = run
  const { taskId, request } = record
  const taskStore = journal(run.store, run.journal)
  const { conversation, fork: { taskId: original, atStep } = {} } = request
  const { agent, memory } = await createAgent(async () => {
    const agent = await raceAbort(run.agent({ taskId, taskStore, signal, context: request.context as never }), signal)
    // A copy of a conversation is saved with its task.
    const memory = conversation && (await submittedMemory('StoredTasks', request, agent.memory, chatStore))
    return { agent, memory }
  })
  const isCopy = original !== undefined && atStep !== undefined
  // A fork has a copy of the conversation.
  if (record.run !== undefined && (await agent.resumeTask(taskId, { memory: isCopy ? undefined : memory })))
    return { agent, memory }
  if (record.hasJournal)
    throw new SavedTaskError(`Task "${taskId}" has run, but its journal is missing: submit it again with another id.`)
  if (isCopy) {
    if (isForkOfOther(record, await records.read(original))) throw new TaskNotFoundError(original)
    // A task that was cancelled while its run began has no journal: there is nothing to continue from.
    if ((await agent.resumeTask(original, { memory })) || atStep > 0) {
      await agent.forkTask(original, { atStep, taskId })
      return { agent, memory }
    }
  }
  await createSubmittedTask('StoredTasks', agent, { taskId, submission: request, chatStore, isExclusive: true })
  return { agent, memory }
}
