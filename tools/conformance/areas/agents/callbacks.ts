/** Scripts of traces and events. */
import type { CallbackManager, EventPayload, EventType } from '@x/core-model'
import type { Operations } from '../../case.ts'
import { CaseError } from '../../given.ts'
import { EventLog } from '../../stand-ins/event-log.ts'

type Action =
  | { do: 'trace'; id: string; body: Action[] }
  | { do: 'event'; type: EventType; payload?: EventPayload | null; end_payload?: EventPayload; body: Action[] }
  | { do: 'throw'; message: string }
  | { do: 'catch'; body: Action[] }

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
    default:
      throw new CaseError(`given.script: there is no action ${JSON.stringify(each)}`)
  }
}

interface Script {
  script: Action[]
  ignoreStarts?: EventType[]
  ignoreEnds?: EventType[]
}

export const callbacks: Operations = {
  'CallbackManager.script': async ({ script, ignoreStarts, ignoreEnds }: Script) => {
    const log = new EventLog(ignoreStarts, ignoreEnds)
    await perform(script, log.manager)
    return log.events()
  },
}
