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
import { StoredFiles } from './stored-files.ts'

/** Options of {@link files}. */
export interface FilesOptions {
  /**
   * The root: its name, or a function that returns it for the `context` of a run, such as the id of the user. Runs with different roots
   * share no file. @defaultValue ''
   */
  root?: string | ((context: never) => string) | undefined
}

const KEY = 'files'

/** Returns the files of a run. */
export function filesOf(store: KeyValueStore, { root }: FilesOptions, context: unknown): StoredFiles {
  return new StoredFiles(store, typeof root === 'function' ? root(context as never) : root)
}

/** Returns a function that opens the files of a call, as its task sees them. */
function filesIn(store: KeyValueStore, options: FilesOptions) {
  return ({ context, task }: ToolCallContext) => ({
    drive: filesOf(store, options, context),
    view: { taskId: task!.taskId, versions: stateOf(task, KEY, {}) },
  })
}

/**
 * Gives the agent files in a store, and the tools `list_files`, `read_file`, `write_file`, `edit_file` and `search_files`. An edit replaces
 * a text that occurs exactly once. No path leaves the root. If steps of a task are undone, so are their versions of the files; other tasks
 * and the application see the newest ones. A file that was written after the model read text from outside is marked `untrusted`.
 * @throws {ModelValidationError} if an option is unknown.
 */
export function files(store: KeyValueStore, options: FilesOptions = {}): Layer {
  checkOptions('files', options, { root: unchecked })
  const open = filesIn(store, options)
  const write = async (path: string, change: string | ((old: string) => string), context: ToolCallContext) => {
    const { drive, view } = open(context)
    const id = context.idempotencyKey
    const own = await drive.write(path, change, { untrusted: await hasUntrusted(context.task), id, view })
    return { content: `${own} is written.`, rawOutput: { path: own, version: id } }
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
  return withTools('files', tools, (made, { task }) => {
    const { path, version } = Object(made) as { path?: string; version?: string }
    if (path && version) task.extraState[KEY] = { ...stateOf(task, KEY, {}), [path]: version }
  })
}

function readers(open: ReturnType<typeof filesIn>) {
  return [
    plainTool({
      name: 'list_files',
      description: 'Lists the files, or those below a folder, with their sizes in characters.',
      needed: {},
      optional: { folder: text },
      fn: async ({ folder }, context) => {
        const { drive, view } = open(context)
        const rawOutput = await drive.entries(view, folder)
        const content = rawOutput.map(({ path, size }) => `${path} (${size})`).join('\n')
        return { content: content || 'There are no files.', rawOutput }
      },
    }),
    plainTool({
      name: 'read_file',
      description: 'Returns the text of a file, or some of its lines. Paths are relative, such as notes/plan.md.',
      needed: { path: text },
      optional: range,
      fn: async ({ path, ...lines }, context) => {
        const { drive, view } = open(context)
        return linesOf({ ...lines, ...(await drive.find(path, view)) })
      },
    }),
    plainTool({
      name: 'search_files',
      description: 'Finds the lines that contain a string, in all files or below a folder. At most 100.',
      needed: { text: word },
      optional: { folder: text },
      fn: async ({ text: wanted, folder }, context) => {
        const { drive, view } = open(context)
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
