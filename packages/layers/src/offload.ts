/**
 * @module
 * Writes large outputs of tools to files.
 */
import type { Layer } from '@x/agents/loop'
import { checkOptions, type OptionTable, unchecked, wholeNumber } from '@x/core/options'
import { estimateTokens, isTextPart } from '@x/core-model'
import type { KeyValueStore } from '@x/storage'
import type { FilesOptions } from './files.ts'
import { fileOutput, rootOf, withTools } from './layer-parts.ts'
import { ownTool } from './own-tools.ts'
import { linesOf } from './paths.ts'
import { StoredFiles } from './stored-files.ts'

/** Options of {@link offload}. */
interface OffloadOptions extends FilesOptions {
  /** The tokens of an output, estimated, above which it becomes a file. @defaultValue 8000 */
  above?: number | undefined
}

const OPTIONS: OptionTable<OffloadOptions> = { root: unchecked, above: wholeNumber(1) }
const READERS = ['read_output', 'read_file', 'search_files', 'get_result']

/**
 * Writes the large outputs of tools to files of a store. The model receives their beginning, and reads on with the tool `read_output`. With
 * the layer `files` on the same store and root, they are files as all others.
 * @throws {ModelValidationError} if an option is unknown or out of range.
 */
export function offload(store: KeyValueStore, options: OffloadOptions = {}): Layer {
  checkOptions('offload', options, OPTIONS)
  const { above = 8000, root } = options
  const drive = (context: unknown) => new StoredFiles(store, rootOf(root, context))
  const read = ownTool({
    name: 'read_output',
    description: 'Returns lines of an output that was written to a file because it was too long.',
    schema: {
      type: 'object',
      properties: {
        file: { type: 'string' },
        from: { type: 'integer', minimum: 1 },
        lines: { type: 'integer', minimum: 1 },
      },
      required: ['file'],
    },
    fn: async ({ file, ...range }, { context }) => fileOutput(await drive(context).find(file), range),
  })
  const layer = withTools('offload', [read])
  return {
    ...layer,
    tool: (next) => async (call, scope) => {
      const made = await layer.tool!(next)(call, scope)
      if (!made || READERS.includes(call.name) || estimateTokens(made.content) <= above) return made
      // The same if the step is repeated.
      const id = await hashOf(made.content)
      const place = `outputs/${call.name.replace(/[^\w-]/g, '_')}-${id}.txt`
      const file = await drive(scope.context).writeAs(place, made.content, { untrusted: made.untrusted, id })
      const rest = `[${made.content.length} characters are in the file ${file}; read_output returns its lines.]`
      const content = `${linesOf(made.content.slice(0, 2000), { lines: 20 })}\n${rest}`
      const parts = made.parts?.filter((part) => !isTextPart(part))
      return made.copy({
        update: { content, parts: parts?.length ? [{ type: 'text', text: content }, ...parts] : null },
      })
    },
  }
}

/** Returns 16 characters that differ for different texts. */
async function hashOf(text: string): Promise<string> {
  const hash = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(hash, 0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
