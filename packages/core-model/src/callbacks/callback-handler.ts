/** How an event ended. */
export interface EventOutcome {
  /** Whether the work of the event failed, even if an inner event has already reported the error. */
  readonly failed: boolean
  /** The error of work that reports its failure as a result, such as a tool. */
  readonly error?: unknown
  /** Seconds from the request to the first piece of a stream; undefined for other work, and if no piece arrived. */
  readonly timeToFirstChunk?: number | undefined
}

/** Receives the events of a callback manager. A handler that throws never disturbs the operation. */
export interface CallbackHandler {
  /** Types of events whose starts it does not receive. */
  readonly eventStartsToIgnore?: readonly EventType[]
  /** Types of events whose ends it does not receive. */
  readonly eventEndsToIgnore?: readonly EventType[]
  /** An event starts; `parentId` is `root` at the top. */
  onEventStart?(type: EventType, payload: EventPayload | null, eventId: string, parentId: string): void
  /**
   * An event ends; each started event ends exactly once. The innermost event of a failed operation has the payload
   * `{ exception }`, the events around it have null; all of them have `outcome.failed`.
   */
  onEventEnd?(type: EventType, payload: EventPayload | null, eventId: string, outcome: EventOutcome): void
  /**
   * Runs the work of an event inside a context of the handler, such as the active span of a tracer. Called after `onEventStart`,
   * for a stream once per piece. Must call `work` synchronously, exactly once. The return value of this method is ignored.
   */
  runInside?(eventId: string, work: () => unknown): unknown
  /** The outermost trace starts. */
  startTrace?(traceId: string): void
  /** The outermost trace ends; the map contains the ids of the children of each event. */
  endTrace?(traceId: string, traceMap: Readonly<Record<string, readonly string[]>>): void
}

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
