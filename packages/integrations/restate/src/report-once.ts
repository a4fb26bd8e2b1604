/**
 * @module
 * Callback handlers of runs that are replayed.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import { checkGiven } from '@x/core/options'
import type { CallbackHandler } from '@x/core-model'
import type { AgentRun, RunReplay } from './agent-run.ts'

/** Enters the contexts of held-back events. */
type Enter = (work: () => unknown) => unknown

/** What enters the contexts of the held-back events of a run, for all of its handlers. */
interface Entrance {
  replay: RunReplay
  enter: Enter | undefined
}

/** One for all runs: the platform never frees a storage, and each one costs time with every promise. */
const entrances = new AsyncLocalStorage<Entrance>()

function entranceOf(replay: RunReplay): Enter | undefined {
  const entrance = entrances.getStore()
  return entrance?.replay === replay ? entrance.enter : undefined
}

/** Runs work inside the contexts of held-back events, once: what runs inside of it is in them already. */
function entered<T>(replay: RunReplay, work: () => T): T {
  const enter = entranceOf(replay)
  if (!enter) return work()
  let result: { value: T } | undefined
  enter(() => {
    result = { value: entrances.run({ replay, enter: undefined }, work) }
    return result.value
  })
  return result!.value
}

/**
 * Returns a callback handler that reports every event of a run once, although runs are replayed: events that ended before are left out, and
 * those that were open begin when the replay is over.
 * @param run - the argument of the function that creates the agent.
 * @example
 * import * as restate from '@restatedev/restate-sdk'
 * import { type CallbackHandler, CallbackManager } from '@x/core-model'
 * import { durableAgent } from '@x/durable'
 *
 * const traced = (llm: BaseLLM, handler: CallbackHandler) =>
 *   agentWorkflow({
 *     restate,
 *     name: 'traced',
 *     agent: durableAgent((run: AgentRun) => ({ llm, callbackManager: new CallbackManager([reportOnce(run, handler)]) })),
 *   })
 */
export function reportOnce(run: Pick<AgentRun, 'replay'>, handler: CallbackHandler): CallbackHandler {
  checkGiven('reportOnce', { run }, 'an agent run', 'replay')
  const { replay } = run
  /** The starts that were not passed on yet. */
  const held = new Map<string, () => void>()
  replay.ends.push(() => {
    for (const pass of held.values()) pass()
    held.clear()
  })
  replay.around = (work) => entered(replay, work)
  return {
    ...(handler.eventStartsToIgnore && { eventStartsToIgnore: handler.eventStartsToIgnore }),
    ...(handler.eventEndsToIgnore && { eventEndsToIgnore: handler.eventEndsToIgnore }),
    onEventStart: (...event) => {
      const pass = () => handler.onEventStart?.(...event)
      if (replay.isOver) pass()
      else held.set(event[2], pass)
    },
    onEventEnd: (...event) => {
      if (!held.delete(event[2]) && replay.isOver) handler.onEventEnd?.(...event)
    },
    runInside: (eventId, work) => {
      const { runInside } = handler
      if (!runInside) return work()
      if (replay.isOver) return entered(replay, () => runInside.call(handler, eventId, work))
      const outer = entranceOf(replay) ?? ((inner) => inner())
      const enter: Enter = (inner) => outer(() => runInside.call(handler, eventId, inner))
      return entrances.run({ replay, enter }, work)
    },
    startTrace: (traceId) => replay.deliver(() => handler.startTrace?.(traceId)),
    endTrace: (...trace) => replay.deliver(() => handler.endTrace?.(...trace)),
  }
}
