/**
 * @module
 * The clients of Redis that the stores accept.
 */
import { checkOptions, invalidOption, required } from '@x/core/options'

/**
 * A client of a Redis server: `Redis` of `ioredis`, a connected client of `redis` (node-redis), or any object with one of their methods.
 * Replies must be strings, numbers, null and arrays of them.
 */
export type RedisLike =
  | { call(command: string, ...args: string[]): Promise<unknown> }
  | { sendCommand(args: string[]): Promise<unknown> }

/** Options of the stores. */
export interface RedisStoreOptions {
  /**
   * The beginning of all keys. The braces keep the keys of a store in one slot of a cluster, as its scripts require.
   * @defaultValue '{x}:'
   */
  prefix?: string | undefined
}

/** The commands of a store: a client with a prefix. */
export class RedisCommands {
  readonly prefix: string
  readonly #client: RedisLike

  constructor(title: string, client: RedisLike, options: RedisStoreOptions) {
    checkOptions(title, options, { prefix: (value) => (typeof value === 'string' ? undefined : 'a string') })
    checkOptions(title, { client }, { client: required('a client of Redis') })
    if (!('call' in client) && !('sendCommand' in client))
      throw invalidOption(title, 'client', 'a client with call (ioredis) or sendCommand (node-redis)', client)
    this.#client = client
    this.prefix = options.prefix ?? '{x}:'
  }

  run(command: string, ...args: string[]): Promise<unknown> {
    // Clients of ioredis have both methods; their sendCommand takes another form.
    return 'call' in this.#client ? this.#client.call(command, ...args) : this.#client.sendCommand([command, ...args])
  }

  /** Runs a script: atomically, with these keys. */
  script(text: string, keys: readonly string[], ...args: string[]): Promise<unknown> {
    return this.run('EVAL', text, String(keys.length), ...keys, ...args)
  }
}

/** Returns the text of a key: JSON, which has only characters that each client keeps. */
export const storedKey = (key: string): string => JSON.stringify(key)
