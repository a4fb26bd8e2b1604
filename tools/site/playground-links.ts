/**
 * Links from examples to the playground, with the state that shows the same. No list says which: an example runs with its calls recorded,
 * what it parsed, searched, filled in, asked or wrote becomes a state of the playground, and the playground's own code runs that state.
 * Only where both have the same result is there a link.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { toAddress } from '../../examples/playground/src/address.ts'
import { record } from './example-recording.ts'
import { readers, type Shown } from './example-states.ts'
import { root } from './pages.ts'

export interface PlaygroundLink extends Shown {
  /** The fragment of the address, with its `#`. */
  readonly address: string
}

const fences = (text: string): string[] => [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code]) => code!)

/** Returns the links of the examples of Markdown texts, by the code of the example. */
export async function playgroundLinks(texts: readonly string[]): Promise<Map<string, PlaygroundLink>> {
  const folder = mkdtempSync(join(root, 'examples', 'guides', '.package-'))
  const shown = new Map<string, PlaygroundLink>()
  try {
    for (const [index, code] of [...new Set(texts.flatMap(fences))].entries()) {
      const recording = await record(code, folder, index)
      if (recording === null) continue
      for (const reader of readers) {
        // What the playground refuses has no link.
        const found = await reader(recording).catch(() => null)
        const address = found && (await toAddress(found.state))
        if (!found || !address) continue
        shown.set(code, { ...found, address })
        break
      }
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  return shown
}
