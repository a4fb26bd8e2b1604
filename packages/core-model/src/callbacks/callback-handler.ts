import type { EventPayload, EventType } from './event-type.ts'

/** What sees the events of a callback manager. A handler that throws never disturbs the operation. */
export interface CallbackHandler {
  /** Kinds whose starts are not told. */
  readonly eventStartsToIgnore?: readonly EventType[]
  /** Kinds whose ends are not told. */
  readonly eventEndsToIgnore?: readonly EventType[]
  /** An event starts; `parentId` is `root` at the top. */
  onEventStart?(type: EventType, payload: EventPayload | null, eventId: string, parentId: string): void
  /** An event ends; each started event ends exactly once. */
  onEventEnd?(type: EventType, payload: EventPayload | null, eventId: string): void
  /** The outermost trace starts. */
  startTrace?(traceId: string): void
  /** The outermost trace ends; the map gives the ids of the children of each event. */
  endTrace?(traceId: string, traceMap: Readonly<Record<string, readonly string[]>>): void
}
