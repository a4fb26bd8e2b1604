/** Workers with custom steps. */
import { AgentChatResponse, type Task } from '@x/agents'
import { CustomSimpleAgentWorker, type CustomStepOptions, type CustomStepResult } from '@x/agents/protocol'
import { ChatMessage, type Dict, type MessageRole } from '@x/core-model'
import { CaseError, isObject, named } from '../../given.ts'

type WorkerOptions = Parameters<typeof CustomSimpleAgentWorker.fromTools>[0]

interface Memory {
  put(message: ChatMessage): void
}

function isMemory(value: unknown): value is Memory {
  return typeof value === 'object' && value !== null && 'put' in value && typeof value.put === 'function'
}

/** Puts a message into the memory of a state. */
export function remember(state: Dict, role: MessageRole, content: string | null): void {
  const { memory } = state
  if (!isMemory(memory)) throw new Error('the state has no memory')
  memory.put(new ChatMessage({ role, content }))
}

/** Adds one to a counter of the state and returns it. */
function countUp(state: Dict, key: string): number {
  const count = Number(state[key] ?? 0) + 1
  state[key] = count
  return count
}

/** Done after a number of steps; notes how often its finalize hook is called. */
class CounterWorker extends CustomSimpleAgentWorker {
  declare limit: number
  declare finalized: number

  protected override _initializeState(): Dict {
    return { count: 0, limit: this.limit }
  }

  protected override async _runStep(state: Dict, _task: Task, { input }: CustomStepOptions): Promise<CustomStepResult> {
    const count = countUp(state, 'count')
    remember(state, 'user', `c${count}:${input ?? '-'}`)
    return [new AgentChatResponse({ response: `n${count}` }), count >= this.limit]
  }

  protected override _finalizeTask(state: Dict): void {
    this.finalized = (this.finalized ?? 0) + 1
    state['finalized'] = this.finalized
  }
}

/** Returns a string where a response is expected, as code without types may do. */
class BadOutputWorker extends CounterWorker {
  protected override async _runStep(state: Dict): Promise<CustomStepResult> {
    countUp(state, 'count')
    const result: unknown = ['text', true]
    return result as CustomStepResult
  }
}

/** Asks the model until its reply starts with `OK`. */
class RetryWorker extends CounterWorker {
  protected override _initializeState(): Dict {
    return { attempt: 0, limit: this.limit }
  }

  protected override async _runStep(state: Dict, task: Task): Promise<CustomStepResult> {
    const attempt = countUp(state, 'attempt')
    const question = new ChatMessage({ role: 'user', content: `${task.input}#${attempt}` })
    const reply = String((await this.llm.chat([question])).message.content)
    const done = reply.startsWith('OK') || attempt >= this.limit
    if (done) {
      remember(state, 'user', task.input)
      remember(state, 'assistant', reply)
    }
    return [new AgentChatResponse({ response: reply }), done]
  }
}

/** Calls the tool that the model names, as `name|{arguments}`. */
class ToolOnceWorker extends CounterWorker {
  protected override _initializeState(): Dict {
    return {}
  }

  protected override async _runStep(state: Dict, task: Task): Promise<CustomStepResult> {
    const { message } = await this.llm.chat([new ChatMessage({ role: 'user', content: task.input })])
    const [name, json = ''] = String(message.content).split('|')
    const tool = (await this.getTools(task.input)).find(({ metadata }) => metadata.name === name)
    if (tool === undefined) throw new CaseError(`the worker has no tool ${name}`)
    const args: unknown = JSON.parse(json)
    const output = await tool.call(isObject(args) ? args : {})
    const { sources } = state
    if (!Array.isArray(sources)) throw new Error('the state has no sources')
    sources.push(output)
    return [new AgentChatResponse({ response: output.content, sources }), true]
  }
}

class ReservedMemoryWorker extends CounterWorker {
  protected override _initializeState(): Dict {
    return { memory: 1 }
  }
}

class ReservedSourcesWorker extends CounterWorker {
  protected override _initializeState(): Dict {
    return { sources: 1 }
  }
}

const workers: Readonly<Record<string, typeof CounterWorker>> = {
  counter: CounterWorker,
  bad_output: BadOutputWorker,
  retry: RetryWorker,
  tool_once: ToolOnceWorker,
  reserved_memory: ReservedMemoryWorker,
  reserved_sources: ReservedSourcesWorker,
}

export function customWorker(kind: string, limit: number, options: WorkerOptions): CustomSimpleAgentWorker {
  const worker = named(workers, kind).fromTools(options)
  worker.limit = limit
  return worker
}
