/**
 * @module
 * What a user was asked to approve, between the question and the request with the answer. Clients keep it, so it is sealed.
 */
import type { AsyncBaseTool } from '@x/agents'
import { type ApprovalRecord, approvalDifference, approvalRecord, sealOf } from '@x/agents/protocol'
import { compactJson } from '@x/core/values'
import { fromBase64, sha256, toBase64 } from '@x/core-model/data'

/** The call about which a user was asked. */
export interface AskedCall {
  readonly tool: AsyncBaseTool
  readonly args: Record<string, unknown>
  /** Who is asked. */
  readonly user: string | undefined
}

/** The record of an approval, with what a client must bring back. */
export interface ServedApproval extends ApprovalRecord {
  /** The idempotency key of the call. */
  key: string
  /** The beginning of the arguments, to show what has changed. */
  shown: string
  /** Whether the user has approved the call, whose agent waits now. */
  isApproved?: true
}

const MAX_SHOWN = 500
const PREFIX = 'approval.'

/** The key of this process, and the records that were used. */
let processKey: Uint8Array | undefined
const used = new Map<string, number>()

/** Returns the record of a call. */
export function recordOf({ tool, args, user }: AskedCall, key = `served-${crypto.randomUUID()}`): ServedApproval {
  const shown = compactJson(args)
  return {
    ...approvalRecord({ tool, args, user, turn: key }),
    key,
    shown: shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown,
  }
}

/** Returns what is different between the call that was shown and the one to make; empty if nothing is. */
export function changeOf(asked: ServedApproval, call: AskedCall): string {
  const now = recordOf(call, asked.key)
  const change = approvalDifference(asked, now)
  return asked.arguments === now.arguments ? change : `${change} They were ${asked.shown}.`
}

/** Returns why a record is no approval of a call; empty if it is one. */
export function invalidityOf(asked: ServedApproval, call: AskedCall, lifetimeMs: number): string {
  const change = changeOf(asked, call)
  if (change) return change
  if (Date.now() - asked.at > lifetimeMs) return 'The answer came too late.'
  return used.has(asked.id) ? 'The approval was used already.' : ''
}

/** Uses a record: later requests with it are asked again. */
export function markUsed({ id, at }: ServedApproval, lifetimeMs: number): void {
  for (const [other, time] of used) {
    if (Date.now() - time <= lifetimeMs) break
    used.delete(other)
  }
  used.set(id, at)
}

/** Returns the state of a record. Without a secret it is not sealed, because the server does it. */
export function writeRecord(record: ServedApproval, secret: Uint8Array | undefined): string {
  const text = toBase64(new TextEncoder().encode(JSON.stringify(record)))
  return secret ? `${PREFIX}${text}.${sealOf(text, secret)}` : `${PREFIX}${text}`
}

/** Returns the record of a state; undefined for another one, and for one with a wrong seal. */
export function readRecord(state: unknown, secret: Uint8Array | undefined): ServedApproval | undefined {
  if (typeof state !== 'string' || !state.startsWith(PREFIX)) return undefined
  const [text = '', seal = ''] = state.slice(PREFIX.length).split('.')
  // The hashes are compared, so that the time of the comparison says nothing about the seal.
  if (secret && sha256(seal) !== sha256(sealOf(text, secret))) return undefined
  try {
    return JSON.parse(new TextDecoder().decode(fromBase64(text))) as ServedApproval
  } catch {
    return undefined
  }
}

/** Returns the secret of this process. */
export function processSecret(): Uint8Array {
  return (processKey ??= crypto.getRandomValues(new Uint8Array(32)))
}
