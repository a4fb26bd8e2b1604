import type { Dict } from '@x/core-model'
import { CaseError } from '../../given.ts'

/** Returns what `work` and `rest` return; when `work` fails, `threw` and what `rest` returns. */
export async function outcome(work: () => Promise<Dict>, rest: () => Dict): Promise<Dict> {
  try {
    return { ...(await work()), ...rest() }
  } catch (error) {
    if (error instanceof CaseError) throw error
    return { threw: true, ...rest() }
  }
}
