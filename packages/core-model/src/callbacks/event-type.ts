/** The kinds of events: those of LlamaIndex for Python, and `task_step`, one step of an agent's task. */
export const eventTypes = [
  'chunking',
  'node_parsing',
  'embedding',
  'llm',
  'query',
  'retrieve',
  'synthesize',
  'tree',
  'sub_question',
  'templating',
  'function_call',
  'reranking',
  'exception',
  'agent_step',
  'task_step',
] as const
/** The kind of an event. */
export type EventType = (typeof eventTypes)[number]

/** Events of these kinds never become the parent of another event. */
export const leafEventTypes: readonly EventType[] = ['chunking', 'llm', 'embedding']

/** The payload of an event; `EventPayloads` lists the keys. */
export type EventPayload = Record<string, unknown>
