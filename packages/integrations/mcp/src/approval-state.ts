/**
 * @module
 * What a user was asked to approve, between the question and the request with the answer. Clients keep it, so it is sealed.
 */
import type { AsyncBaseTool } from '@x/agents'
import { compactJson } from '@x/core/values'
import { writeJsonText } from '@x/core-model'
import { fromBase64, sha256, toBase64 } from '@x/core-model/data'

/** The call about which a user was asked. */
export interface AskedCall {
  readonly tool: AsyncBaseTool
  readonly args: Record<string, unknown>
  /** Who is asked. */
  readonly user: string | undefined
}

/** One approval: of one definition, with these arguments, by this user, for one call. */
export interface ApprovalRecord {
  /** Unique; the idempotency key of the call. */
  id: string
  /** The hash of name, description, schemas and annotations of the tool. */
  definition: string
  /** The hash of the arguments, and the beginning of their text, to show what has changed. */
  arguments: string
  shown: string
  user: string | null
  /** When the user was asked, in milliseconds since 1970. */
  at: number
  /** Whether the user has approved the call, whose agent waits now. */
  isApproved?: true
}

const MAX_SHOWN = 500
const PREFIX = 'approval.'

/** The seal of states: the key of this process unless the application passes one, and the records that were used. */
let processKey: Promise<CryptoKey> | undefined
const used = new Map<string, number>()

/** Returns the record of a call. */
export function recordOf({ tool, args, user }: AskedCall, id = `served-${crypto.randomUUID()}`): ApprovalRecord {
  const shown = compactJson(args)
  return {
    id,
    definition: definitionHash(tool),
    arguments: sha256(writeJsonText(args, { sortKeys: true })),
    shown: shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown,
    user: user ?? null,
    at: Date.now(),
  }
}

function definitionHash({ metadata }: AsyncBaseTool): string {
  const { description, title, annotations, outputSchema } = metadata
  const definition = { name: metadata.getName(), description, title, annotations, outputSchema }
  return sha256(writeJsonText({ ...definition, schema: metadata.getParametersDict() }, { sortKeys: true }))
}

/** Returns what is different between the call that was shown and the one to make; empty if nothing is. */
export function changeOf(asked: ApprovalRecord, call: AskedCall): string {
  const now = recordOf(call)
  if (now.arguments !== asked.arguments) return `The arguments have changed; they were ${asked.shown}.`
  if (now.definition !== asked.definition) return 'The server has changed the tool since you were asked.'
  return now.user === asked.user ? '' : 'Somebody else was asked.'
}

/** Returns why a record is no approval of a call; empty if it is one. */
export function invalidityOf(asked: ApprovalRecord, call: AskedCall, lifetimeMs: number): string {
  const change = changeOf(asked, call)
  if (change) return change
  if (Date.now() - asked.at > lifetimeMs) return 'The answer came too late.'
  return used.has(asked.id) ? 'The approval was used already.' : ''
}

/** Uses a record: later requests with it are asked again. */
export function markUsed({ id, at }: ApprovalRecord, lifetimeMs: number): void {
  for (const [other, time] of used) {
    if (Date.now() - time <= lifetimeMs) break
    used.delete(other)
  }
  used.set(id, at)
}

/** Returns the state of a record. Without a key it is not sealed, because the server does it. */
export async function writeRecord(record: ApprovalRecord, key: CryptoKey | undefined): Promise<string> {
  const text = toBase64(new TextEncoder().encode(JSON.stringify(record)))
  return key ? `${PREFIX}${text}.${toBase64(await sealOf(text, key))}` : `${PREFIX}${text}`
}

/** Returns the record of a state; undefined for another one, and for one with a wrong seal. */
export async function readRecord(state: unknown, key: CryptoKey | undefined): Promise<ApprovalRecord | undefined> {
  if (typeof state !== 'string' || !state.startsWith(PREFIX)) return undefined
  const [text = '', seal = ''] = state.slice(PREFIX.length).split('.')
  try {
    const isSealed =
      !key ||
      (await crypto.subtle.verify(
        'HMAC',
        key,
        fromBase64(seal) as Uint8Array<ArrayBuffer>,
        new TextEncoder().encode(text),
      ))
    return isSealed ? (JSON.parse(new TextDecoder().decode(fromBase64(text))) as ApprovalRecord) : undefined
  } catch {
    return undefined
  }
}

async function sealOf(text: string, key: CryptoKey): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text)))
}

/** Returns the key for a secret, or that of this process. */
export async function sealingKey(secret: Uint8Array | undefined): Promise<CryptoKey> {
  const make = async (bytes: Uint8Array) =>
    crypto.subtle.importKey('raw', bytes as Uint8Array<ArrayBuffer>, { name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
      'verify',
    ])
  if (secret) return make(secret)
  processKey ??= make(crypto.getRandomValues(new Uint8Array(32)))
  return processKey
}
