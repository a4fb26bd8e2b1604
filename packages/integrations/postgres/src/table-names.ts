/**
 * @module
 * The names of the tables, quoted.
 */

import { kindOf } from '@x/core/values'
import { ModelValidationError } from '@x/core-model'

/** Postgres cuts longer names. The longest name of a table or index, without the prefix, has 31 bytes. */
const MAX_BYTES = { schema: 63, tablePrefix: 32 }

/** The names of the tables of one schema and prefix, for statements. */
export class TableNames {
  readonly schema: string
  private readonly prefix: string

  /** @throws {ModelValidationError} when a name is not a string that Postgres stores unchanged. */
  constructor(schema: unknown, prefix: unknown) {
    this.schema = checkedName('schema', schema)
    this.prefix = checkedName('tablePrefix', prefix)
    if (this.schema === '') refuse('schema', 'a string that is not empty', schema)
  }

  get quotedSchema(): string {
    return quotedName(this.schema)
  }
  get version(): string {
    return this.table('version')
  }
  /** The name of the version table without quotes. */
  get versionName(): string {
    return `${this.prefix}version`
  }
  get nodes(): string {
    return this.table('nodes')
  }
  get sources(): string {
    return this.table('sources')
  }
  get conversations(): string {
    return this.table('conversations')
  }
  get messages(): string {
    return this.table('messages')
  }
  get taskEvents(): string {
    return this.table('task_events')
  }
  get turns(): string {
    return this.table('turns')
  }
  get tasks(): string {
    return this.table('tasks')
  }
  get taskEntries(): string {
    return this.table('task_entries')
  }
  get taskBlobs(): string {
    return this.table('task_blobs')
  }
  get taskBlobUses(): string {
    return this.table('task_blob_uses')
  }
  get keyValues(): string {
    return this.table('key_values')
  }
  get answers(): string {
    return this.table('answers')
  }
  get settings(): string {
    return this.table('settings')
  }
  get keywordNodes(): string {
    return this.table('keyword_nodes')
  }
  get keywordPostings(): string {
    return this.table('keyword_postings')
  }
  get keywordTotals(): string {
    return this.table('keyword_totals')
  }
  get vectorNodes(): string {
    return this.table('vector_nodes')
  }
  /** The name of the HNSW index, which is in the schema of its table. */
  get hnswIndex(): string {
    return quotedName(`${this.prefix}vector_nodes_hnsw`)
  }

  private table(name: string): string {
    return `${this.quotedSchema}.${quotedName(this.prefix + name)}`
  }
}

/** Returns a name for statements. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function checkedName(path: keyof typeof MAX_BYTES, value: unknown): string {
  if (typeof value !== 'string') return refuse(path, 'a string', value)
  const isStorable = !/[\0\p{Surrogate}]/u.test(value)
  if (isStorable && new TextEncoder().encode(value).length <= MAX_BYTES[path]) return value
  return refuse(path, `at most ${MAX_BYTES[path]} bytes of valid Unicode without U+0000`, value)
}

function refuse(path: string, expected: string, value: unknown): never {
  const received = typeof value === 'string' ? JSON.stringify(value) : kindOf(value)
  throw new ModelValidationError('openDatabase', [
    { path, message: `expected ${expected}, received ${received}`, code: 'bound' },
  ])
}
