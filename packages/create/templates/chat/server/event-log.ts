/** The events of tasks in a table of SQLite. */
import { DatabaseSync } from 'node:sqlite'
import type { TaskEventLog, TaskEvents } from '@x/durable'

/** Opens the log in a file, beside what else is in it. */
export function openEventLog(path: string): TaskEventLog {
  const database = new DatabaseSync(path)
  database.exec('pragma busy_timeout = 5000')
  database.exec(
    'create table if not exists event (n integer primary key, task text not null, record text not null) strict',
  )
  database.exec('create index if not exists event_task on event (task, n)')
  const insert = database.prepare('insert into event (task, record) values (?, ?)')
  const select = database.prepare('select record from event where task = ? order by n limit -1 offset ?')
  return {
    addEvents: (task, record) => void insert.run(task, JSON.stringify(record)),
    readEvents: (task, from) => select.all(task, from).map(({ record }) => JSON.parse(String(record)) as TaskEvents),
  }
}
