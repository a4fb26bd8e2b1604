/**
 * @module
 * Writes large outputs of tools to files.
 */
import type { Layer } from '@x/agents/loop'
import { plainTool } from '@x/agents/protocol'
import { checkOptions, type OptionTable, wholeNumber } from '@x/core/options'
import { estimateTokens, isTextPart } from '@x/core-model'
import type { KeyValueStore } from '@x/storage'
import { aRoot, type FilesOptions, rootOf } from './files.ts'
import { range, text, withTools } from './layer-parts.ts'
import { linesOf } from './lines.ts'
import { steady } from './steady-store.ts'
import { StoredFiles } from './stored-files.ts'

/** Options of {@link offload}. */
interface OffloadOptions extends FilesOptions {
  /** The tokens of an output, estimated, above which it becomes a file. @defaultValue 8000 */
  above?: number | undefined
}

const OPTIONS: OptionTable<OffloadOptions> = { root: aRoot, above: wholeNumber(1) }
const READERS = ['read_output', 'read_file', 'search_files', 'get_result']

/**
 * Writes the large outputs of tools to files of a store. The model receives their beginning, and reads on with the tool `read_output`. With
 * the layer `files` on the same store and root, they are files as all others.
 * @throws {ModelValidationError} if an option is unknown or out of range.
 */
export function offload(store: KeyValueStore, options: OffloadOptions = {}): Layer {
  checkOptions('offload', options, OPTIONS)
  const { above = 8000 } = options
  const rows = steady('offload', store)
  const roots = rootOf('offload', options)
  const filesOf = (context: unknown) => new StoredFiles(rows, roots.of(context))
  const read = plainTool({
    name: 'read_output',
    description: 'Returns lines of a long output that is in a file.',
    needed: { file: text },
    optional: range,
    fn: async ({ file, ...lines }, { context }) => linesOf({ ...lines, ...(await filesOf(context).find(file)) }),
  })
  const layer = withTools('offload', [read])
  return {
    ...layer,
    step: roots.step,
    tool: (next) => async (call, scope) => {
      const made = await layer.tool!(next)(call, scope)
      if (!made || READERS.includes(call.name) || estimateTokens(made.content) <= above) return made
      const { content: whole, untrusted, parts } = made
      // The same if the step is repeated.
      const id = await hashOf(whole)
      const place = `outputs/${call.name.replace(/[^\w-]/g, '_')}-${id}.txt`
      const file = await filesOf(scope.context).write(place, whole, { untrusted, id })
      const head = linesOf({ content: whole.slice(0, 2000), lines: 20 }).content
      const content = `${head}\n[${whole.length} characters are in the file ${file}; read_output returns its lines.]`
      const others = parts?.filter((part) => !isTextPart(part)) ?? []
      const shown = others.length > 0 ? [{ type: 'text' as const, text: content }, ...others] : null
      return made.copy({ update: { content, parts: shown } })
    },
  }
}

/** Returns 16 characters that differ for different strings. */
async function hashOf(text: string): Promise<string> {
  const hash = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(hash, 0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
