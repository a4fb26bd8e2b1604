/**
 * @module
 * Files of an agent: tools that list, read, write, edit and search them.
 */
import type { ToolCallContext } from '@x/agents'
import type { Layer } from '@x/agents/loop'
import { hasUntrusted, plainTool } from '@x/agents/protocol'
import { checkOptions, unchecked } from '@x/core/options'
import type { KeyValueStore } from '@x/storage'
import { FileError } from './errors.ts'
import { range, stateOf, text, withTools, word } from './layer-parts.ts'
import { linesOf } from './lines.ts'
import { type FileView, pathInside, StoredFiles } from './stored-files.ts'

/** Options of {@link files}. */
export interface FilesOptions {
  /**
   * The root: its name, or a function that returns it for the `context` of a run, such as the id of the user. Runs with different roots
   * share no file. @defaultValue ''
   */
  root?: string | ((context: never) => string) | undefined
}

const KEY = 'files'

/** The tasks that have files of their own, because they were forked. */
const FORKS = JSON.stringify(['forks with files'])

/** Returns the root of a run. */
const rootOf = ({ root = '' }: FilesOptions, context: unknown): string =>
  typeof root === 'function' ? root(context as never) : root

/** Returns the files of a run. */
export function filesOf(store: KeyValueStore, options: FilesOptions, context: unknown): StoredFiles {
  return new StoredFiles(store, rootOf(options, context))
}

/** Returns the files of a task. */
async function driveOf(store: KeyValueStore, root: string, taskId: string): Promise<StoredFiles> {
  return new StoredFiles(store, root, (await store.get(taskId, FORKS)) ? taskId : '')
}

/** Returns a function that opens the files of a call, as its task sees them. */
function filesIn(store: KeyValueStore, options: FilesOptions) {
  return async ({ context, task }: ToolCallContext) => {
    const root = rootOf(options, context)
    const view: FileView = { taskId: task!.taskId, versions: stateOf(task, KEY, {}) }
    return { root, view, drive: await driveOf(store, root, view.taskId) }
  }
}

/** A file that a task has written. */
type OwnFile = { root: string; path: string }

/** What a task has written, also in steps that were undone. */
function ownFiles(store: KeyValueStore, taskId: string) {
  const collection = JSON.stringify(['files of task', taskId])
  const keyOf = ({ root, path }: OwnFile) => JSON.stringify([root, path])
  return {
    note: (file: OwnFile) => store.put(keyOf(file), { ...file }, collection),
    all: async () => Object.values(await store.getAll(collection)) as OwnFile[],
    clear: async (files: readonly OwnFile[]) => store.deleteMany(files.map(keyOf), collection),
  }
}

/**
 * Gives the agent files in a store, and the tools `list_files`, `read_file`, `write_file`, `edit_file` and `search_files`. An edit replaces
 * a string that occurs exactly once. No path leaves the root. A file that was written after the model read text from outside is marked
 * `untrusted`.
 *
 * `undoStep` of an agent with this layer takes back what the step has written, for other tasks and the application too, unless they have written
 * the file since. `forkTask` gives the new task files of its own: those that the original had written by then, as they were at that step. What
 * the fork writes is in `new StoredFiles(store, root, forkId)` alone.
 * @returns the layer. `clear` deletes the files of a fork, and what the layer stores about a task.
 * @throws {ModelValidationError} if an option is unknown.
 */
export function files(
  store: KeyValueStore,
  options: FilesOptions = {},
): Layer & { clear(taskId: string): Promise<void> } {
  checkOptions('files', options, { root: unchecked })
  const open = filesIn(store, options)
  const write = async (given: string, change: string | ((old: string) => string), context: ToolCallContext) => {
    const { drive, root, view } = await open(context)
    const id = context.idempotencyKey
    const path = pathInside(given)
    await ownFiles(store, view.taskId).note({ root, path })
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
        write(
          path,
          (before) => {
            const parts = before.split(old_text)
            if (parts.length === 2 || (parts.length > 2 && all)) return parts.join(new_text)
            const problem =
              parts.length === 1
                ? 'old_text does not occur in it; read the file again'
                : `old_text occurs ${parts.length - 1} times in it; add the lines around it`
            throw new FileError(path, problem)
          },
          context,
        ),
    }),
  ]
  const layer = withTools('files', tools, (made, { task }) => {
    const { path, version } = Object(made) as { path?: string; version?: string }
    if (path && version) task.extraState[KEY] = { ...stateOf(task, KEY, {}), [path]: version }
  })
  return {
    ...layer,
    restored: async (task, origin) => {
      const view = { taskId: task.taskId, versions: stateOf(task, KEY, {}) }
      const own = ownFiles(store, view.taskId)
      if (origin === undefined) {
        for (const { root, path } of await own.all())
          await (await driveOf(store, root, view.taskId)).restore(path, view)
      } else {
        for (const file of await ownFiles(store, origin).all()) {
          const { root, path } = file
          await own.note(file)
          await new StoredFiles(store, root, view.taskId).take(path, view, origin, await driveOf(store, root, origin))
        }
        await store.put(view.taskId, { origin }, FORKS)
      }
    },
    clear: async (taskId) => {
      const own = ownFiles(store, taskId)
      const written = await own.all()
      if (await store.delete(taskId, FORKS))
        for (const root of new Set(written.map((file) => file.root))) await new StoredFiles(store, root, taskId).clear()
      await own.clear(written)
    },
  }
}

function readers(open: ReturnType<typeof filesIn>) {
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
        return { content: content || 'No files.', rawOutput }
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
