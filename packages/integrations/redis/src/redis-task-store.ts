/**
 * @module
 * The tasks of agents in Redis.
 */
import {
  readJsonText,
  type TaskFilter,
  type TaskStore,
  type TaskSummary,
  taskFacts,
  writeJsonText,
} from '@x/core-model'
import { readingRecord } from '@x/storage'
import { RedisCommands, type RedisLike, type RedisStoreOptions, storedKey } from './redis-like.ts'

/**
 * Adds entries, if the journal has so many. KEYS: journal, facts, tasks, unfinished tasks, active tasks, places, the tasks of the
 * conversation.
 */
const append = `
if redis.call('LLEN', KEYS[1]) ~= tonumber(ARGV[2]) then return 0 end
local given = cjson.decode(ARGV[3])
for _, entry in ipairs(given.entries) do redis.call('RPUSH', KEYS[1], entry) end
local place = redis.call('ZSCORE', KEYS[3], ARGV[1])
if not place then
  place = redis.call('INCR', KEYS[6])
  redis.call('ZADD', KEYS[3], place, ARGV[1])
  redis.call('ZADD', KEYS[4], place, ARGV[1])
end
redis.call('HSET', KEYS[2], 'revision', redis.call('LLEN', KEYS[1]))
if given.conversation then
  redis.call('HSET', KEYS[2], 'conversation', given.conversation)
  redis.call('ZADD', KEYS[7], place, ARGV[1])
end
if given.finished then
  redis.call('HSET', KEYS[2], 'finished', '1')
  redis.call('ZREM', KEYS[4], ARGV[1])
  redis.call('ZREM', KEYS[5], ARGV[1])
elseif given.finished == false then
  redis.call('HDEL', KEYS[2], 'finished')
  redis.call('ZADD', KEYS[4], place, ARGV[1])
end
if given.active then
  redis.call('ZADD', KEYS[5], place, ARGV[1])
elseif given.active == false then
  redis.call('ZREM', KEYS[5], ARGV[1])
end
return 1`

/** Deletes a journal. KEYS as above, without the last; ARGV: the id of the task and the beginning of the keys of conversations. */
const remove = `
local conversation = redis.call('HGET', KEYS[2], 'conversation')
if conversation then redis.call('ZREM', ARGV[2] .. conversation, ARGV[1]) end
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('ZREM', KEYS[4], ARGV[1])
redis.call('ZREM', KEYS[5], ARGV[1])
redis.call('DEL', KEYS[1], KEYS[2])
return 1`

/**
 * Stores the journals of agents' tasks in Redis: the `taskStore` of a runner of `@x/agents`. A journal is a list; adding entries writes
 * these entries only, with one script. When several processes continue one task, one of them succeeds; the others throw `task_claimed`. An
 * entry is as durable as the server's settings: it survives a crash with `appendonly yes` and `appendfsync always`.
 * @example
 * import { Redis } from 'ioredis'
 * const redis = new Redis(process.env['REDIS_URL']!)
 * const store = new RedisTaskStore(redis, { prefix: '{tasks}:' })
 * await store.append('t1', [{ type: 'task', n: 0, task: { conversation_id: 'ann' } }], 0) // => true
 * await store.append('t1', [{ type: 'finalized', n: 1 }], 7) // => false
 * await store.list({ unfinished: true })
 * // => [{ taskId: 't1', conversationId: 'ann', isFinished: false, revision: 1 }]
 * redis.disconnect()
 */
export class RedisTaskStore implements TaskStore {
  private readonly commands: RedisCommands

  /** @throws {ModelValidationError} if the client has no method for commands, or an option is unknown. */
  constructor(client: RedisLike, options: RedisStoreOptions = {}) {
    this.commands = new RedisCommands('RedisTaskStore', client, options)
  }

  /**
   * Adds entries to the journal of a task, all or none, if exactly `revision` entries are stored; 0 if the journal does not exist yet.
   * @returns false if the number is different; nothing is stored then.
   * @throws {SerializationError} when an entry contains a value that has no JSON form.
   */
  async append(taskId: string, entries: readonly object[], revision: number): Promise<boolean> {
    const { conversationId = null, isFinished, isActive } = taskFacts(entries)
    const conversation = conversationId !== null && storedKey(conversationId)
    const given = {
      entries: entries.map((entry) => writeJsonText(entry)),
      conversation,
      finished: isFinished,
      active: isActive,
    }
    const keys = [...this.keysOf(taskId), this.key(`conversation:${conversation || ''}`)]
    return (await this.commands.script(append, keys, storedKey(taskId), String(revision), JSON.stringify(given))) === 1
  }

  /** Returns all entries in order; null if the journal does not exist. @throws {StoreReadError} if one is damaged. */
  async load(taskId: string): Promise<readonly unknown[] | null> {
    const path = this.keysOf(taskId)[0]!
    const texts = (await this.commands.run('LRANGE', path, '0', '-1')) as string[]
    if (texts.length === 0) return null
    return texts.map((text) => readingRecord({ path, taskId }, () => readJsonText(text)))
  }

  /** Returns the tasks, in order of creation. */
  async list({ unfinished = false, conversationId, active = false }: TaskFilter = {}): Promise<TaskSummary[]> {
    const all = active ? 'active' : unfinished ? 'unfinished' : 'tasks'
    const set = conversationId === undefined ? all : `conversation:${storedKey(conversationId)}`
    const ids = (await this.commands.run('ZRANGE', this.key(set), '0', '-1')) as string[]
    const summaries = await Promise.all(ids.map((id) => this.summaryOf(JSON.parse(id) as string)))
    return summaries.filter((task): task is TaskSummary => task !== null && !(unfinished && task.isFinished))
  }

  /** Deletes the journal of a task, if it exists. */
  async delete(taskId: string): Promise<void> {
    await this.commands.script(remove, this.keysOf(taskId), storedKey(taskId), this.key('conversation:'))
  }

  private async summaryOf(taskId: string): Promise<TaskSummary | null> {
    const fields = ['revision', 'conversation', 'finished']
    const reply = await this.commands.run('HMGET', this.keysOf(taskId)[1]!, ...fields)
    const [revision, conversation, finished] = reply as (string | null)[]
    // A task that was deleted since.
    if (revision === null || revision === undefined) return null
    const conversationId = typeof conversation === 'string' ? (JSON.parse(conversation) as string) : null
    return { taskId, conversationId, isFinished: finished === '1', revision: Number(revision) }
  }

  private key(name: string): string {
    return `${this.commands.prefix}${name}`
  }

  private keysOf(taskId: string): string[] {
    const id = storedKey(taskId)
    return ['journal:', 'task:']
      .map((name) => this.key(name + id))
      .concat(['tasks', 'unfinished', 'active', 'task-places'].map((name) => this.key(name)))
  }
}
