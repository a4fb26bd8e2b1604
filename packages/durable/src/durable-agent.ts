/**
 * @module
 * The agent of a durable task, with what its engine needs.
 */
import { FunctionCallingAgent, type FunctionCallingAgentOptions, ReActAgent } from '@x/agents'
import type { TaskRun } from './durable-tasks.ts'

/** What an engine passes to the agent of a run. */
type EngineOptions = Pick<TaskRun, 'durable' | 'newId' | 'now' | 'taskStore'>

/** Options of an agent, without those of the engine. */
type OwnOptions<Options> = Omit<Options, keyof EngineOptions>

/**
 * Returns the function that makes the agent of a durable task, for the option `agent` of `StoredTasks`, DBOS and Restate. It adds to your
 * options what the engine needs to continue a task: where calls and steps are saved, and ids and times that are the same when they are repeated.
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
    const options = { ...optionsOf(run), durable, newId, now, taskStore }
    const { llm } = options as FunctionCallingAgentOptions
    const made = agent ?? (llm?.metadata?.isFunctionCallingModel ? FunctionCallingAgent : ReActAgent)
    return (made as NonNullable<typeof agent>).fromTools(options)
  }
}
