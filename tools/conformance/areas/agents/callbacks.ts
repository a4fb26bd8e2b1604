/** Scripts of traces and events. */
import type { CallbackManager, EventPayload, EventType } from '@x/core-model'
import { type Operations, operation } from '../../case.ts'
import { argument, list, optional, type Reader, shape, string, variants } from '../../reader.ts'
import { EventLog } from '../../stand-ins/event-log.ts'

type Action =
  | { do: 'trace'; id: string; body: Action[] }
  | { do: 'event'; type: EventType; payload?: EventPayload | null; end_payload?: EventPayload; body: Action[] }
  | { do: 'throw'; message: string }
  | { do: 'catch'; body: Action[] }

const body: Reader<Action[]> = (value, at) => list(action)(value, at)

const action: Reader<Action> = variants('do', {
  trace: { id: string, body },
  event: {
    type: argument<EventType>(),
    payload: argument<EventPayload | null | undefined>(),
    end_payload: argument<EventPayload | undefined>(),
    body,
  },
  throw: { message: string },
  catch: { body },
})

async function perform(actions: readonly Action[], manager: CallbackManager): Promise<void> {
  for (const each of actions) await performOne(each, manager)
}

async function performOne(each: Action, manager: CallbackManager): Promise<void> {
  switch (each.do) {
    case 'trace':
      return manager.asTrace(each.id, () => perform(each.body, manager))
    case 'event':
      return manager.event(each.type, each.payload ?? null, async (event) => {
        await perform(each.body, manager)
        if (each.end_payload) event.end(each.end_payload)
      })
    case 'throw':
      throw new Error(each.message)
    case 'catch':
      return perform(each.body, manager).catch(() => {})
  }
}

const events = optional(list(argument<EventType>()))

export const callbacks: Operations = {
  'CallbackManager.script': operation(
    shape({ script: body, ignore_starts: events, ignore_ends: events }),
    async ({ script, ignore_starts, ignore_ends }) => {
      const log = new EventLog(ignore_starts, ignore_ends)
      await perform(script, log.manager)
      return log.events()
    },
  ),
}
