/**
 * @module
 * Files of an agent: tools that list, read, write, edit and search them.
 */
import type { ToolCallContext } from '@x/agents'
import type { Layer } from '@x/agents/loop'
import { checkOptions, unchecked } from '@x/core/options'
import type { KeyValueStore } from '@x/storage'
import { FileError } from './errors.ts'
import { fileOutput, hasUntrusted, output, rootOf, stateOf, withTools } from './layer-parts.ts'
import { ownTool } from './own-tools.ts'
import { type FileView, StoredFiles } from './stored-files.ts'

/** Options of {@link files}. */
export interface FilesOptions {
  /**
   * The root: its name, or a function that returns it for the `context` of a run, such as the id of the user. Runs with different roots
   * share no file. @defaultValue ''
   */
  root?: string | ((context: never) => string) | undefined
}

const KEY = 'files'
const text = { type: 'string' } as const
const path = { type: 'string', description: 'Relative to the root, such as notes/plan.md.' } as const
const count = { type: 'integer', minimum: 1 } as const

/**
 * Gives the agent files in a store, and the tools `list_files`, `read_file`, `write_file`, `edit_file` and `search_files`. An edit replaces
 * a text that occurs exactly once. No path leaves the root. If steps of a task are undone, so are their versions of the files; other tasks
 * and the application see the newest ones. A file that was written after the model read text from outside is marked `untrusted`.
 * @throws {ModelValidationError} if an option is unknown.
 */
export function files(store: KeyValueStore, options: FilesOptions = {}): Layer {
  checkOptions('files', options, { root: unchecked })
  const open = (context: Partial<ToolCallContext>): OpenFiles => {
    const drive = new StoredFiles(store, rootOf(options.root, context.context))
    return { drive, context, view: viewOf(context) }
  }
  return withTools('files', [...readers(open), ...writers(open)], ({ rawOutput }, { task }) => {
    const { path: own, version } = (rawOutput ?? {}) as { path?: string; version?: string }
    if (own && version) task.extraState[KEY] = { ...stateOf<object>(task, KEY), [own]: version }
  })
}

/** The files of a call. */
interface OpenFiles {
  drive: StoredFiles
  context: Partial<ToolCallContext>
  view: FileView | undefined
}
type Open = (context: Partial<ToolCallContext>) => OpenFiles

function readers(open: Open) {
  const list = ownTool({
    name: 'list_files',
    description: 'Lists the files, or those below a folder, with their sizes in characters.',
    schema: { type: 'object', properties: { folder: text } },
    fn: async ({ folder }, context) => {
      const { drive, view } = open(context)
      const found = await drive.entries(view, folder)
      return output(found.map(({ path, size }) => `${path} (${size})`).join('\n') || 'There are no files.', found)
    },
  })
  const read = ownTool({
    name: 'read_file',
    description: 'Returns the text of a file, or some of its lines.',
    schema: { type: 'object', properties: { path, from: count, lines: count }, required: ['path'] },
    fn: async ({ path: given, ...range }, context) => {
      const { drive, view } = open(context)
      return fileOutput(await drive.find(given, view), range)
    },
  })
  const search = ownTool({
    name: 'search_files',
    description: 'Finds the lines that contain a text, in all files or below a folder. At most 100.',
    schema: { type: 'object', properties: { text: { ...text, minLength: 1 }, folder: text }, required: ['text'] },
    fn: async ({ text: wanted, folder }, context) => {
      const own = open(context)
      const hits: string[] = []
      let isOutside = false
      for (const entry of await own.drive.entries(own.view, folder)) {
        const rows = (await own.drive.find(entry.path, own.view)).text.split('\n')
        for (const [i, row] of rows.entries()) {
          if (!row.includes(wanted) || hits.length === 100) continue
          hits.push(`${entry.path}:${i + 1}: ${row.slice(0, 300)}`)
          isOutside ||= entry.untrusted
        }
      }
      return fileOutput({ text: hits.join('\n') || 'No line contains it.', untrusted: isOutside }, {})
    },
  })
  return [list, read, search]
}

function writers(open: Open) {
  const write = async (
    given: string,
    change: string | ((old: string) => string),
    context: Partial<ToolCallContext>,
  ) => {
    const { drive, view } = open(context)
    const id = context.idempotencyKey ?? globalThis.crypto.randomUUID()
    const own = await drive.writeAs(given, change, {
      untrusted: await hasUntrusted(context),
      id,
      ...(view && { view }),
    })
    return output(`${own} is written.`, { path: own, version: id })
  }
  const whole = ownTool({
    name: 'write_file',
    description: 'Writes a file, or replaces its whole text.',
    schema: { type: 'object', properties: { path, content: text }, required: ['path', 'content'] },
    sequential: true,
    fn: ({ path: given, content }, context) => write(given, content, context),
  })
  const edit = ownTool({
    name: 'edit_file',
    description: 'Replaces a text of a file. It must occur exactly once, with all its white space, unless all is true.',
    schema: {
      type: 'object',
      properties: { path, old_text: { ...text, minLength: 1 }, new_text: text, all: { type: 'boolean' } },
      required: ['path', 'old_text', 'new_text'],
    },
    sequential: true,
    fn: ({ path: given, old_text, new_text, all }, context) => {
      const edited = (before: string) => {
        const parts = before.split(old_text)
        if (parts.length === 1) throw new FileError(given, 'old_text does not occur in it; read the file again')
        if (parts.length === 2 || all) return parts.join(new_text)
        throw new FileError(given, `old_text occurs ${parts.length - 1} times in it; add the lines around it`)
      }
      return write(given, edited, context)
    },
  })
  return [whole, edit]
}

function viewOf({ task }: Partial<ToolCallContext>): FileView | undefined {
  return task && { taskId: task.taskId, versions: stateOf(task, KEY) ?? {} }
}
