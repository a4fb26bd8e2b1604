/** The kinds of events. */
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
] as const
/** The kind of an event. */
export type EventType = (typeof eventTypes)[number]

/** Events of these kinds never become the parent of another event. */
export const leafEventTypes: readonly EventType[] = ['chunking', 'llm', 'embedding']

/** What an event carries; the keys are those of the specification, such as `messages`, `response`, `nodes`. */
export type EventPayload = Record<string, unknown>
