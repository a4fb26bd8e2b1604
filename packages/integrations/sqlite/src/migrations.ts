/**
 * @module
 * The tables, by version of the database.
 */
import { SqliteOpenError, SqliteVersionError } from './errors.ts'
import type { SqlConnection } from './sqlite-driver.ts'

/** Marks the files of this package (`pragma application_id`). */
const APPLICATION_ID = 0x40785144

/** Entry `n` upgrades a database of version `n` to `n + 1`. An entry that was released never changes. */
export const migrations: readonly string[] = [
  `
  -- The nodes of a document store, in the order of adding. Without record: a hash alone.
  create table nodes (
    seq integer primary key,
    id text not null unique,
    record text,
    hash text not null,
    source text
  ) strict;
  create index nodes_of_source on nodes (source, seq) where source is not null;
  create table sources (id text primary key, metadata text not null) strict;

  -- Those with an owner are in the list of chats of that owner.
  create table conversations (
    seq integer primary key,
    key text not null unique,
    owner text,
    id text,
    title text,
    at integer
  ) strict;
  create index chats_of_owner on conversations (owner, at) where owner is not null;
  -- A number is never used again, also in the table of turns: one who knows it knows the text.
  create table messages (
    seq integer primary key autoincrement,
    conversation integer not null references conversations (seq) on delete cascade,
    position integer not null,
    message text not null,
    unique (conversation, position)
  ) strict;

  -- The turns of conversations: their messages have the positions from base on, to the next multiple of 2^20.
  create table turns (
    seq integer primary key autoincrement,
    conversation integer not null references conversations (seq) on delete cascade,
    base integer not null,
    task text not null,
    marks text not null,
    unique (conversation, base)
  ) strict;
  create index turns_of_task on turns (conversation, task);
  create index open_turns on turns (conversation) where instr(marks, '"state":"open"') > 0;

  -- The journals of the tasks of agents.
  create table tasks (
    seq integer primary key,
    id text not null unique,
    conversation text,
    is_finished integer not null default 0,
    is_active integer not null default 0,
    revision integer not null
  ) strict;
  create index unfinished_tasks on tasks (seq) where is_finished = 0;
  create index active_tasks on tasks (seq) where is_active = 1 and is_finished = 0;
  create index tasks_of_conversation on tasks (conversation, seq) where conversation is not null;
  create table task_entries (
    task integer not null references tasks (seq) on delete cascade,
    position integer not null,
    entry text not null,
    primary key (task, position)
  ) strict;

  -- The events of tasks, for readers that continue.
  create table task_events (
    task text not null,
    position integer not null,
    record text not null,
    primary key (task, position)
  ) strict, without rowid;

  -- The nodes of the indexes, without embeddings. Both indexes share the record of a node. The metadata is for conditions.
  create table indexed (
    seq integer primary key,
    id text not null unique,
    record text not null,
    metadata text not null default '{}',
    in_keywords integer not null default 0,
    in_vectors integer not null default 0
  ) strict;
  -- The terms of nodes, each once with the number of its occurrences, so that a search reads frequencies without computing scores.
  create virtual table postings using fts5 (
    terms, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_'"
  );
  create virtual table posted_terms using fts5vocab(postings, row);
  -- The number of terms of a node in the keyword index.
  create table keyword_lengths (seq integer primary key, length integer not null) strict;
  create table vectors (seq integer primary key, vector blob not null) strict;
  create table settings (name text primary key, value text not null) strict;

  -- Large strings in the entries of tasks and in their events, and the tasks that have them, which may have no entry yet.
  create table task_blobs (hash text primary key, content text not null) strict;
  create table task_blob_uses (
    task text not null,
    hash text not null references task_blobs (hash),
    primary key (task, hash)
  ) strict;
  create index uses_of_blob on task_blob_uses (hash);
  create table event_blob_uses (
    task text not null,
    hash text not null references task_blobs (hash),
    primary key (task, hash)
  ) strict;
  create index event_uses_of_blob on event_blob_uses (hash);
  `,
]

/**
 * Updates a database to the newest version, in one transaction.
 * @throws {SqliteVersionError} when it has a newer version.
 * @throws {SqliteOpenError} when it belongs to a different program.
 */
export function migrate(connection: SqlConnection, path: string, steps: readonly string[] = migrations): void {
  const check = () => versionOf(connection, path, steps)
  if (check() === steps.length) return
  connection.exec('begin immediate')
  try {
    // Another process may have updated it first.
    for (const step of steps.slice(check())) connection.exec(step)
    connection.exec(`pragma application_id = ${APPLICATION_ID}; pragma user_version = ${steps.length}`)
    connection.exec('commit')
  } catch (error) {
    connection.exec('rollback')
    throw error
  }
}

/**
 * Checks that a database has the newest version.
 * @throws {SqliteVersionError} when it has a different version.
 * @throws {SqliteOpenError} when it is new, or belongs to a different program.
 */
export function checkVersion(connection: SqlConnection, path: string): void {
  const version = versionOf(connection, path, migrations)
  if (version === 0) throw new SqliteOpenError(path, 'the file is not a database of this package')
  if (version !== migrations.length) throw new SqliteVersionError(path, migrations.length, version)
}

function versionOf(connection: SqlConnection, path: string, steps: readonly string[]): number {
  const version = pragma(connection, 'user_version')
  if (version !== 0 && pragma(connection, 'application_id') !== APPLICATION_ID)
    throw new SqliteOpenError(path, 'the file is a database of a different program')
  if (version > steps.length) throw new SqliteVersionError(path, steps.length, version)
  return version
}

function pragma(connection: SqlConnection, name: string): number {
  return Number((connection.prepare(`pragma ${name}`).get() as Record<string, unknown>)[name])
}
