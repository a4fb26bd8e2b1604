/**
 * @module
 * Prevents that a replayed run reports earlier events again.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { CallbackHandler } from '@x/core-model'

/** A start that was not passed on yet. */
interface HeldStart {
  pass: () => void
}

/**
 * Tracks whether an execution still replays recorded calls. Meanwhile reports are held back: they are dropped when the next call
 * turns out to be recorded too, because they were made before it; and they are made when a call really runs.
 */
export class ReplayGate {
  private isOpen = false
  private held: (() => void)[] = []
  private readonly starts: Map<string, HeldStart>[] = []
  /** Enters the contexts of held-back events around the calls that run. */
  private readonly entering = new AsyncLocalStorage<((work: () => unknown) => unknown) | undefined>()

  /** Reports an event, or holds it back. */
  report(deliver: () => void): void {
    if (this.isOpen) deliver()
    else this.held.push(deliver)
  }

  /** Call it when a recorded result was returned: drops held-back reports. */
  passed(): void {
    this.held = []
  }

  /** Ends the replay: everything from here on happens for the first time. */
  open(): void {
    if (this.isOpen) return
    this.isOpen = true
    for (const starts of this.starts) {
      for (const { pass } of starts.values()) pass()
      starts.clear()
    }
    for (const deliver of this.held.splice(0)) deliver()
  }

  /** Runs a call, inside the contexts of the events around it. */
  run<T>(work: () => T): T {
    this.open()
    return this.entered(work)
  }

  /** Runs work inside the contexts of held-back events, once: what runs inside of it is in them already. */
  private entered<T>(work: () => T): T {
    const { entering } = this
    const enter = entering.getStore()
    if (!enter) return work()
    let result: { value: T } | undefined
    enter(() => {
      result = { value: entering.run(undefined, work) }
      return result.value
    })
    return result!.value
  }

  /**
   * Returns a handler that passes on every event once: events that ended before are left out, and those that were open begin when the
   * replay is over.
   */
  once(handler: CallbackHandler): CallbackHandler {
    const held = new Map<string, HeldStart>()
    this.starts.push(held)
    const { entering } = this
    return {
      ...(handler.eventStartsToIgnore && { eventStartsToIgnore: handler.eventStartsToIgnore }),
      ...(handler.eventEndsToIgnore && { eventEndsToIgnore: handler.eventEndsToIgnore }),
      onEventStart: (...event) => {
        const pass = () => handler.onEventStart?.(...event)
        if (this.isOpen) pass()
        else held.set(event[2], { pass })
      },
      onEventEnd: (...event) => {
        if (!held.delete(event[2]) && this.isOpen) handler.onEventEnd?.(...event)
      },
      runInside: (eventId, work) => {
        const { runInside } = handler
        if (!runInside) return work()
        if (this.isOpen) return this.entered(() => runInside.call(handler, eventId, work))
        const outer = entering.getStore() ?? ((inner) => inner())
        return entering.run((inner) => outer(() => runInside.call(handler, eventId, inner)), work)
      },
      startTrace: (traceId) => this.report(() => handler.startTrace?.(traceId)),
      endTrace: (...trace) => this.report(() => handler.endTrace?.(...trace)),
    }
  }
}
