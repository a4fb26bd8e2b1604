/**
 * @module
 * What a client shows of an answer, beside what is stored of it.
 */
import type { PendingToolCall } from '@x/agents'
import { deepEqual } from '@x/core/values'
import type { DecidedCall, Turn, TurnMarks } from '@x/core-model'
import type { ShownAnswer } from './chat-protocol.ts'
import type { TurnsOfChat } from './chat-turn.ts'

/** Returns how the calls of a turn were decided, by their ids, also of those that have not run because others of their step wait. */
export function decidedCalls({ waiting = [], decided = {}, state }: TurnMarks): Readonly<Record<string, DecidedCall>> {
  const open = state === 'waiting' ? (waiting as readonly PendingToolCall[]) : []
  // A call that was approved and waits again has no decision yet.
  const isUndecided = (id: string) => open.some((call) => call.id === id && call.decision === null)
  const before = Object.entries(decided).filter(([id]) => !isUndecided(id))
  const made = open.flatMap((call): [string, DecidedCall][] => {
    const { id, needsApproval, decision, problem } = call
    if (!needsApproval || decision === null) return []
    const reason = decision === 'reject' ? call.reason : undefined
    return [[id, { id: call.approval?.id ?? id, approved: decision === 'approve', reason, problem }]]
  })
  return Object.fromEntries([...before, ...made])
}

/** Whether a client shows an answer in another state than the stored one. */
export function isOutdated(turn: TurnMarks, { taskId, usage, calls, problems = {} }: ShownAnswer): boolean {
  const { task, state } = turn
  const used = state === 'done' || state === 'stopped' ? turn.usage : undefined
  const stored = callsOf(turn)
  return !deepEqual([taskId, usage, calls, problems], [task, used, stored.calls, stored.problems])
}

/**
 * Returns the turns behind an answer, and in front of them its own one if a client has other decisions about its calls: no event says how a
 * call was decided.
 * @param shown - what the client showed before the answer continued. @defaultValue nothing
 */
export async function turnsFrom({ store, key }: TurnsOfChat, id: string, shown?: ShownAnswer): Promise<Turn[]> {
  const turns = await store.read(key)
  const at = turns.findIndex((turn) => turn.id === id)
  const own = turns[at]
  if (!own) return []
  return turns.slice(own.state === 'open' || hasDecisions(own, shown) ? at + 1 : at)
}

/** Whether a client has the decisions of a turn. What waits is asked about again. */
function hasDecisions(turn: TurnMarks, shown: ShownAnswer | undefined): boolean {
  const stored = callsOf(turn).calls
  const decided = (calls: ShownAnswer['calls'] = {}) =>
    Object.fromEntries(Object.entries(calls).filter(([id, how]) => how !== 'open' && stored[id] !== 'open'))
  return deepEqual(decided(shown?.calls), decided(stored))
}

/** Returns the calls of a turn about which a page asks its user, and those that the user has decided. */
function callsOf(turn: TurnMarks): Pick<ShownAnswer, 'calls' | 'problems'> {
  const { state, waiting = [] } = turn
  const asked = (state === 'waiting' ? waiting : []) as readonly PendingToolCall[]
  const calls = [
    ...Object.entries(decidedCalls(turn)).map(([id, { approved, problem }]) => {
      return { id, how: approved ? ('approved' as const) : ('rejected' as const), problem }
    }),
    ...asked.flatMap(({ id, decision, needsApproval, awaits, problem }) =>
      decision === null && (needsApproval || awaits === 'result') ? [{ id, how: 'open' as const, problem }] : [],
    ),
  ]
  return {
    calls: Object.fromEntries(calls.map(({ id, how }) => [id, how])),
    problems: Object.fromEntries(calls.map(({ id, problem }) => [id, problem])),
  }
}
