import type { CallbackHandler, EventPayload, EventType } from '../callbacks/callback-handler.ts'

/** One call of a handler. */
export type RecordedEvent =
  | { phase: 'start'; type: EventType; payload: EventPayload | null; id: string; parent: string }
  | { phase: 'end'; type: EventType; payload: EventPayload | null; id: string }
  | { phase: 'start_trace'; trace: string }
  | { phase: 'end_trace'; trace: string; traceMap: Readonly<Record<string, readonly string[]>> }

/**
 * A callback handler for tests that records its calls in order.
 * @example
 * const handler = new RecordingCallbackHandler()
 * await new CallbackManager([handler]).event('query', { query_str: 'q' }, () => null)
 * handler.summary() // => [['start', 'query', ['query_str']], ['end', 'query', []]]
 */
export class RecordingCallbackHandler implements CallbackHandler {
  readonly eventStartsToIgnore: readonly EventType[]
  readonly eventEndsToIgnore: readonly EventType[]
  /** The calls so far, in order. */
  readonly events: RecordedEvent[] = []

  constructor({
    ignoreStarts = [],
    ignoreEnds = [],
  }: { ignoreStarts?: readonly EventType[]; ignoreEnds?: readonly EventType[] } = {}) {
    this.eventStartsToIgnore = ignoreStarts
    this.eventEndsToIgnore = ignoreEnds
  }

  onEventStart(type: EventType, payload: EventPayload | null, id: string, parent: string): void {
    this.events.push({ phase: 'start', type, payload, id, parent })
  }

  onEventEnd(type: EventType, payload: EventPayload | null, id: string): void {
    this.events.push({ phase: 'end', type, payload, id })
  }

  startTrace(trace: string): void {
    this.events.push({ phase: 'start_trace', trace })
  }

  endTrace(trace: string, traceMap: Readonly<Record<string, readonly string[]>>): void {
    this.events.push({ phase: 'end_trace', trace, traceMap })
  }

  /** Returns phase, type and sorted payload keys of each event. */
  summary(): [phase: 'start' | 'end', type: EventType, keys: string[]][] {
    return this.events.flatMap((event) =>
      event.phase === 'start' || event.phase === 'end'
        ? [[event.phase, event.type, Object.keys(event.payload ?? {}).sort()]]
        : [],
    )
  }
}
