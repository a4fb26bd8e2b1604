/** The model of agents and pipelines, and the records of its requests, of events and of modules. */

import { ChatMemoryBuffer } from '@x/agents'
import { CallbackManager, ChatMessage, type Dict, type EventPayload, type EventType, LLMMetadata } from '@x/core-model'
import { type RecordedEvent, RecordingCallbackHandler } from '@x/core-model/testing'
import { type ScriptedAnswer, ScriptedLLM } from '@x/llm/testing'
import { isObject, type Json } from '../given.ts'
import { messageRecord } from './prompts.ts'

/** A model, and the text before a prompt. */
export function caseModel(
  { responses = [], context_window: contextWindow }: Json = {},
  { isChatModel = true, prefix }: { isChatModel?: boolean; prefix?: string | undefined } = {},
): ScriptedLLM {
  return new ScriptedLLM({
    wire: false,
    answers: responses.map(answerOf),
    metadata: new LLMMetadata({
      isChatModel,
      isFunctionCallingModel: true,
      ...(contextWindow !== undefined && { contextWindow }),
    }),
    ...(prefix !== undefined && { completionToPrompt: (text: string) => `${prefix}${text}` }),
  })
}

function answerOf(response: Json): ScriptedAnswer {
  if (!isObject(response)) return response
  const { content, tool_calls, chunks, error } = response
  if (chunks) return error === undefined ? chunks : [...chunks, new Error(error)]
  if (error !== undefined) return new Error(error)
  return new ChatMessage({ role: 'assistant', content, additionalKwargs: tool_calls ? { tool_calls } : {} })
}

/** The requests that a model received, in the form of the cases. */
function callsOf({ calls }: ScriptedLLM): Dict[] {
  return calls.map(({ messages = [], prompt, options: { tools, toolChoice } }) => {
    if (prompt !== undefined) return { prompt }
    return {
      messages: messages.map((each) => messageRecord(ChatMessage.fromDict(each))),
      ...(toolChoice !== undefined && { tool_choice: toolChoice }),
      ...(tools !== undefined && { tools: (tools as Json[]).map((tool) => tool.function.name) }),
    }
  })
}

// The callback events of a case.

/** Records the events of one manager. */
export class EventLog {
  readonly manager: CallbackManager
  private readonly handler: RecordingCallbackHandler

  constructor(ignoreStarts: readonly EventType[] = [], ignoreEnds: readonly EventType[] = []) {
    this.handler = new RecordingCallbackHandler({ ignoreStarts, ignoreEnds })
    this.manager = new CallbackManager([this.handler])
  }

  /** The events so far; ids are renamed `e1`, `e2`, … in the order of their first appearance. */
  events(): Dict[] {
    const names = new Map([['root', 'root']])
    const nameOf = (id: string): string => {
      const name = names.get(id) ?? `e${names.size}`
      names.set(id, name)
      return name
    }
    return withoutSteps(this.handler.events).map((event) => eventForm(event, nameOf))
  }
}

/** The events without those of steps, which the reference does not have; their children belong to their parent. */
function withoutSteps(events: readonly RecordedEvent[]): RecordedEvent[] {
  const parents = new Map<string, string>()
  for (const event of events)
    if (event.phase === 'start' && event.type === 'task_step') parents.set(event.id, event.parent)
  const outside = (id: string): string => (parents.has(id) ? outside(parents.get(id) as string) : id)
  return events.flatMap((event): RecordedEvent[] => {
    if ('id' in event && parents.has(event.id)) return []
    if (event.phase === 'start') return [{ ...event, parent: outside(event.parent) }]
    if (event.phase !== 'end_trace') return [event]
    const traceMap: Record<string, string[]> = {}
    for (const [id, children] of Object.entries(event.traceMap)) {
      const kept = children.filter((child) => !parents.has(child))
      if (kept.length > 0) (traceMap[outside(id)] ??= []).push(...kept)
    }
    return [{ ...event, traceMap }]
  })
}

/** Keys of payloads that the reference does not have. */
const ownKeys: readonly string[] = ['task_id', 'step_id', 'call_id', 'is_error']

function eventForm({ phase, type, trace, traceMap, id, parent, payload }: Json, nameOf: (id: string) => string): Dict {
  if (phase === 'start_trace') return { phase, trace }
  if (phase === 'end_trace') {
    const named = Object.entries<string[]>(traceMap).map(([id, children]) => [nameOf(id), children.map(nameOf)])
    return { phase, trace, trace_map: Object.fromEntries(named) }
  }
  const ofStart = { id: nameOf(id), ...(phase === 'start' && { parent: nameOf(parent) }) }
  return { phase, type, ...ofStart, payload: payloadForm(payload) }
}

/** The tool as its name, a response and an error as strings, all else as it is. */
function payloadForm(payload: EventPayload | null): Dict | null {
  if (payload === null) return null
  const entries = Object.entries(payload).filter(([key]) => !ownKeys.includes(key))
  return Object.fromEntries(entries.map(([key, value]) => [key, valueForm(key, value)]))
}

function valueForm(key: string, value: unknown): unknown {
  if (key === 'response') return String(value)
  if (key === 'exception') return value instanceof Error ? value.message : String(value)
  return (key === 'tool' && (value as Json)?.name) || value
}

// The events in a pipeline.

export class Recorder {
  /** Keys of the modules in the order in which they ran. */
  readonly executed: string[] = []
  private readonly models: ScriptedLLM[] = []
  /** The memories of agents that are components. */
  readonly memories: RecordedMemory[] = []

  /** Makes a model whose requests are among the `calls`. */
  modelOf(...input: Parameters<typeof caseModel>): ScriptedLLM {
    const model = caseModel(...input)
    this.models.push(model)
    return model
  }

  /** The requests that all models received. */
  get calls(): Dict[] {
    return this.models.flatMap(callsOf)
  }

  /** The conversations of agents that are components. */
  get histories(): Json[] {
    return this.memories.flatMap(({ made }) => made.map((memory) => memory.getAll().map(messageRecord)))
  }
}

/** Keeps the memories that are made beside it: an agent that runs as a component has one for each run. */
export class RecordedMemory extends ChatMemoryBuffer {
  readonly made: RecordedMemory[] = []

  override fresh(): RecordedMemory {
    const memory = new RecordedMemory({ tokenLimit: this.tokenLimit })
    this.made.push(memory)
    return memory
  }
}
