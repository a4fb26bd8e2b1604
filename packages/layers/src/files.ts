/**
 * @module
 * Files of an agent: tools that list, read, write, edit and search them.
 */
import type { Task, ToolCallContext } from '@x/agents'
import type { Layer } from '@x/agents/loop'
import { hasUntrusted, plainTool } from '@x/agents/protocol'
import { checkOptions, type OptionCheck } from '@x/core/options'
import { ConfigurationError } from '@x/core-model'
import type { KeyValueStore } from '@x/storage'
import { range, stateOf, text, withTools, word } from './layer-parts.ts'
import { linesOf, replaceIn } from './lines.ts'
import { steady } from './steady-store.ts'
import { type FileView, ownFiles, pathInside, StoredFiles } from './stored-files.ts'

/** Options of {@link files}. */
export interface FilesOptions {
  /**
   * The root: its name, or a function that returns it for the `context` of a run, such as the id of the user. Runs with different roots
   * share no file. A run for which the function returns no name throws `configuration`. @defaultValue ''
   */
  root?: string | ((context: never) => string) | undefined
}

const KEY = 'files'

/** Returns what a task sees of the files, by its state. */
const viewOf = (task: Pick<Task, 'taskId' | 'extraState'>): FileView => ({
  taskId: task.taskId,
  versions: stateOf(task, KEY, {}),
})

/** Accepts the option `root`. */
export const aRoot: OptionCheck = (value) =>
  typeof value === 'string' || typeof value === 'function' ? undefined : 'a string, or a function that returns one'

/** Returns the function that returns the root of a run, and a layer that begins no run without one. */
export function rootOf(name: string, { root = '' }: FilesOptions) {
  const of = (context: unknown): string => {
    if (typeof root === 'string') return root
    const own: unknown = root(context as never)
    if (typeof own === 'string' && own !== '') return own
    throw new ConfigurationError(`${name}.root: expected the name of a root, such as the id of a user.`)
  }
  const step: Layer['step'] = (next) => (input, scope) => {
    of(scope.context)
    return next(input, scope)
  }
  return { of, step }
}

/** Opens the files of a call, as its task sees them. */
type Open = (context: ToolCallContext) => Promise<{ root: string; view: FileView; drive: StoredFiles }>

/**
 * Adds files in a store, and the tools `list_files`, `read_file`, `write_file`, `edit_file` and `search_files`. An edit replaces
 * a string that occurs exactly once. No path leaves the root. A file that was written after the model read text from outside is marked
 * `untrusted`.
 *
 * `undoStep` of an agent with this layer undoes what the step has written, for other tasks and the application too, unless they have
 * written the file since. `forkTask` gives the new task files of its own: those that the original has written, as it had written them last
 * by that step, whoever has written them since. What the fork writes is in `new StoredFiles(store, root, forkId)` alone.
 * @returns the layer. `clear` deletes the files of a fork, and what the layer stores about a task: call it when the task is deleted.
 * @throws {ModelValidationError} if an option is unknown.
 */
export function files(
  store: KeyValueStore,
  options: FilesOptions = {},
): Layer & { clear(taskId: string): Promise<void> } {
  checkOptions('files', options, { root: aRoot })
  const rows = steady('files', store)
  const roots = rootOf('files', options)
  const open: Open = async ({ context, task }) => {
    const [root, view] = [roots.of(context), viewOf(task!)]
    return { root, view, drive: await driveOf(rows, root, view.taskId) }
  }
  const write = async (given: string, change: string | ((old: string) => string), context: ToolCallContext) => {
    const { drive, root, view } = await open(context)
    const [id, path] = [context.idempotencyKey, pathInside(given)]
    await ownFiles(rows, view.taskId).note({ root, path })
    await drive.write(path, change, { untrusted: await hasUntrusted(context.task), id, view })
    return { content: `${path} is written.`, rawOutput: { path, version: id } }
  }
  const tools = [
    ...readers(open),
    plainTool({
      name: 'write_file',
      description: 'Writes a file, or replaces its whole text.',
      needed: { path: text, content: text },
      sequential: true,
      fn: ({ path, content }, context) => write(path, content, context),
    }),
    plainTool({
      name: 'edit_file',
      description:
        'Replaces a string in a file. It must occur exactly once, with all its white space, unless all is true.',
      needed: { path: text, old_text: word, new_text: text },
      optional: { all: { type: 'boolean' } },
      sequential: true,
      fn: ({ path, old_text, new_text, all }, context) =>
        write(path, (before) => replaceIn(path, before, old_text, new_text, all), context),
    }),
  ]
  const layer = withTools('files', tools, (made, { task }) => {
    const { path, version } = Object(made) as { path?: string; version?: string }
    if (path && version) task.extraState[KEY] = { ...stateOf(task, KEY, {}), [path]: version }
  })
  return {
    ...layer,
    step: roots.step,
    restored: (task, origin) => restoreFiles(rows, viewOf(task), origin),
    clear: (taskId) => clearFiles(rows, taskId),
  }
}

function readers(open: Open) {
  return [
    plainTool({
      name: 'list_files',
      description: 'Lists the files, or those below a folder, with their sizes in characters.',
      needed: {},
      optional: { folder: text },
      fn: async ({ folder }, context) => {
        const { drive, view } = await open(context)
        const rawOutput = await drive.entries(view, folder)
        const content = rawOutput.map(({ path, size }) => `${path} (${size})`).join('\n')
        // A name may say something too.
        return { content: content || 'No files.', rawOutput, untrusted: rawOutput.some((file) => file.untrusted) }
      },
    }),
    plainTool({
      name: 'read_file',
      description: 'Returns the text of a file, or some of its lines. Paths are relative, such as notes/plan.md.',
      needed: { path: text },
      optional: range,
      fn: async ({ path, ...lines }, context) => {
        const { drive, view } = await open(context)
        return linesOf({ ...lines, ...(await drive.find(path, view)) })
      },
    }),
    plainTool({
      name: 'search_files',
      description: 'Finds the lines that contain a string, in all files or below a folder. At most 100.',
      needed: { text: word },
      optional: { folder: text },
      fn: async ({ text: wanted, folder }, context) => {
        const { drive, view } = await open(context)
        const hits: string[] = []
        let untrusted = false
        for (const { path, untrusted: isOutside } of await drive.entries(view, folder))
          for (const [i, row] of (await drive.find(path, view)).content.split('\n').entries())
            if (row.includes(wanted) && hits.push(`${path}:${i + 1}: ${row.slice(0, 300)}`) <= 100)
              untrusted ||= isOutside
        return linesOf({ content: hits.slice(0, 100).join('\n') || 'No line contains it.', untrusted })
      },
    }),
  ]
}

/** The tasks that have files of their own, because they were forked. */
const FORKS = JSON.stringify(['forks with files'])

/** Returns the files of a task. */
async function driveOf(store: KeyValueStore, root: string, taskId: string): Promise<StoredFiles> {
  return new StoredFiles(store, root, (await store.get(taskId, FORKS)) ? taskId : '')
}

/** Takes back what a task has undone, or makes the files of a task that was forked from `origin`. */
async function restoreFiles(store: KeyValueStore, view: FileView, origin: string | undefined): Promise<void> {
  const { taskId } = view
  if (origin === undefined) {
    for (const { root, path } of await ownFiles(store, taskId).all())
      await (await driveOf(store, root, taskId)).restore(path, view)
    return
  }
  const own = ownFiles(store, taskId)
  for (const file of await ownFiles(store, origin).all()) {
    const { root, path } = file
    await own.note(file)
    await new StoredFiles(store, root, taskId).take(path, view, origin, await driveOf(store, root, origin))
  }
  await store.put(taskId, { origin }, FORKS)
}

/** Deletes the files of a fork, and what is stored about a task. */
async function clearFiles(store: KeyValueStore, taskId: string): Promise<void> {
  const own = ownFiles(store, taskId)
  const written = await own.all()
  if (await store.delete(taskId, FORKS))
    for (const root of new Set(written.map((file) => file.root))) await new StoredFiles(store, root, taskId).clear()
  await own.clear()
}
