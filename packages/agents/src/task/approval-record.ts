/**
 * @module
 * What a person is asked to approve, and what alone an approval counts for: the same record for every way in.
 */
import { keyOf } from '@x/core/json-schema'
import { checkGiven } from '@x/core/options'
import { sha256 } from '@x/core-model/data'

/** What a person was shown of a call. An approval counts for exactly this. It is plain JSON, and part of the call that waits. */
export interface ApprovalRecord {
  /**
   * The hash of all of it but the time, with the task and the turn. A decision that names it (`approvalId`) is about this question alone.
   */
  id: string
  /** The hash of the definition of the tool: name, title, description, annotations and schemas. */
  definition: string
  /** The hash of the arguments. */
  arguments: string
  /** Who is asked; null if the application does not say. */
  user: string | null
  /** When the question was made, in milliseconds since 1970-01-01 UTC. */
  at: number
  /** Who has approved the call, if that is known. */
  by?: string | undefined
  /** The seal of an approval, if the application has a secret. */
  seal?: string | undefined
}

/** An approval of a call that waits. */
export interface Approval {
  /** Arguments instead of those of the model. */
  arguments?: Record<string, unknown> | undefined
  /**
   * Whether these arguments are refused if the schema of the tool makes others of them, as by a default value or a conversion.
   * @defaultValue false
   */
  exact?: boolean | undefined
  /** Whether later calls of the tool need no approval in this task, as long as its definition stays the same. @defaultValue false */
  always?: boolean | undefined
  /** Who has approved. */
  by?: string | undefined
  /** The `id` of the call's `approval` that was shown. @defaultValue the current one */
  approvalId?: string | undefined
}

/** A tool whose calls need no approval any more in a task, as long as its definition stays the same. */
export interface AllowedTool extends Pick<ApprovalRecord, 'definition' | 'user' | 'seal'> {
  name: string
}

/** The part of a tool that a person sees. */
interface ShownTool {
  readonly metadata: {
    readonly name: string | null
    readonly title: string | null
    readonly description: string
    readonly annotations: object
    readonly outputSchema: unknown
    getParametersDict(): object
  }
}

/** A call about which a person is asked. */
export interface AskedCall {
  /** The tool, or the hash of the definition that was shown. */
  tool: ShownTool | string
  args: unknown
  user: string | null | undefined
  /** Unique for the call, such as the id of the task and the place in it: an approval of an equal call does not count for this one. */
  turn: string
}

/**
 * Returns the record of a call, for your own runner.
 * @example
 * const pay = FunctionTool.fromDefaults({ name: 'pay', schema: {}, fn: () => 'paid' })
 * const asked = approvalRecord({ tool: pay, args: { euros: 5 }, user: 'ann', turn: 'call-1' })
 * const now = approvalRecord({ tool: pay, args: { euros: 500 }, user: 'ann', turn: 'call-1' })
 * approvalDifference(asked, now) // => 'The arguments have changed.'
 */
export function approvalRecord({ tool, args, user = null, turn }: AskedCall, at = Date.now()): ApprovalRecord {
  const definition = typeof tool === 'string' ? tool : definitionOf(tool)
  return askedIn(turn, { id: '', definition, arguments: argumentsHash(args), user, at })
}

/** Returns what a person was shown as the question of another turn: in a fork, the same call is one of its own. */
export function askedIn(turn: string, shown: ApprovalRecord): ApprovalRecord {
  const { definition, arguments: args, user } = shown
  return { ...shown, id: hashOf([{ definition, arguments: args, user }, turn]) }
}

/** Returns the hash of what a person sees of a tool. */
export function definitionOf({ metadata }: ShownTool): string {
  const { name, title, description, annotations, outputSchema } = metadata
  return hashOf({ name, title, description, annotations, outputSchema, schema: metadata.getParametersDict() })
}

/** Returns the hash of the arguments of a call. */
export function argumentsHash(args: unknown): string {
  return hashOf(args)
}

/** Returns what is different between the call that was shown and the one that would run, as a sentence; empty if nothing is. */
export function approvalDifference(asked: ApprovalRecord, now: ApprovalRecord): string {
  if (now.arguments !== asked.arguments) return 'The arguments have changed.'
  if (now.definition !== asked.definition) return 'The tool has changed.'
  if (now.user !== asked.user) return 'Somebody else was asked.'
  return now.id === asked.id ? '' : 'The answer was to another question.'
}

/**
 * Returns the seal of a JSON value: HMAC-SHA256. Equal values have equal seals, whatever the order of their keys.
 * @example
 * const secret = new Uint8Array(32)
 * sealOf({ a: 1, b: 2 }, secret) === sealOf({ b: 2, a: 1 }, secret) // => true
 */
export function sealOf(value: unknown, secret: Uint8Array): string {
  checkGiven('sealOf', { secret }, 'bytes', 'length')
  const text = keyOf(value)
  const key = secret.length > 64 ? fromHex(sha256(secret)) : secret
  const padded = (byte: number) => Array.from({ length: 64 }, (_, i) => (key[i] ?? 0) ^ byte)
  const inner = sha256(Uint8Array.from([...padded(0x36), ...new TextEncoder().encode(text)]))
  return sha256(Uint8Array.from([...padded(0x5c), ...fromHex(inner)]))
}

const hashOf = (value: unknown) => sha256(keyOf(value))

const fromHex = (hex: string) => Uint8Array.from(hex.match(/../g)!, (byte) => Number.parseInt(byte, 16))
