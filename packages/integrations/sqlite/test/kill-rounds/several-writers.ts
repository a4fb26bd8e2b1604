/** Processes that write to one database at the same time. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const WRITERS = 3
const NODES_EACH = 20

/** The number of nodes that {@link severalWriters} adds, and of the keys in the metadata of their source. */
export const WRITTEN_NODES = WRITERS * NODES_EACH

/**
 * Runs processes that start to write at the same moment: each opens the database and adds nodes of the source `one`, one by one.
 * @param imports - import statements of the program, with absolute specifiers.
 * @param store - an expression of the program whose promise resolves with a document store.
 * @param folder - where the program finds its packages.
 * @returns their exit codes.
 */
export async function severalWriters(imports: string, store: string, folder: string): Promise<unknown[]> {
  const program = `
    import { TextNode } from '@x/core-model'
    ${imports}
    process.stdin.once('data', async () => {
      const store = await ${store}
      const source = { relationships: { 1: { nodeId: 'one' } } }
      for (let i = 0; i < ${NODES_EACH}; i++) {
        const id = process.pid + '-' + i
        await store.addDocuments([new TextNode({ id, metadata: { [id]: i }, ...source })])
      }
      process.exit()
    })
    process.stdout.write('ready')`
  const writers = Array.from({ length: WRITERS }, () =>
    spawn(process.execPath, ['--conditions=@x/source', '--input-type=module', '--eval', program], {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  )
  await Promise.all(writers.map(({ stdout }) => once(stdout, 'data')))
  for (const { stdin } of writers) stdin.write('go')
  return Promise.all(writers.map(async (writer) => (await once(writer, 'close'))[0]))
}
