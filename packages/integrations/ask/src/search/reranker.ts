/**
 * @module
 * Reorders the best sections of a search with a cross-encoder.
 */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { CrossEncoder } from '@x/core-model'
import { ExitCode, ProgramError } from '../program-error.ts'
import type { FoundSection, SectionSearchOptions } from './found-section.ts'
import type { SectionIndex } from './section-index.ts'

/** An index that a search reorders. */
export type RerankedIndex = Pick<SectionIndex, 'search' | 'sectionsOf'>

/** The number of sections that the model reads. */
const RERANKED = 20
/** The longest text that it reads whole, in characters. Of a longer one it reads the best part and the beginning. */
const LONGEST = 4000

/** Returns the sections that match a question, the best ones in the order of a cross-encoder. Their scores descend as before. */
export async function rerankedSearch(
  index: RerankedIndex,
  reranker: CrossEncoder,
  question: string,
  { limit = 10, ...options }: SectionSearchOptions = {},
): Promise<FoundSection[]> {
  const found = index.search(question, { ...options, limit: Math.max(limit, RERANKED) })
  const best = found.slice(0, RERANKED)
  const rates = await reranker.predict(best.map((section) => [question, textOf(index, section)] as const))
  const order = best.map((_, at) => at).sort((one, other) => rates[other]! - rates[one]! || one - other)
  return [...order.map((from, at) => ({ ...best[from]!, score: best[at]!.score })), ...found.slice(RERANKED)].slice(
    0,
    limit,
  )
}

function textOf(index: RerankedIndex, { file, from, path, excerpt }: FoundSection): string {
  const blocks = index.sectionsOf(file).find((section) => section.from === from)?.blocks ?? []
  const text = blocks.map((block) => block.text).join('\n')
  const shown = text.length <= LONGEST ? text : `${excerpt}\n${text}`.slice(0, LONGEST)
  return `${path.join(' > ')}\n${shown}`
}

/**
 * Returns the cross-encoder of a folder or of a model's name. The model is loaded by the first search.
 * @throws {ProgramError} when the folder has no model, or `@x/transformers` is not installed.
 */
export async function openReranker(
  { name, path }: RerankerOptions,
  signal?: AbortSignal,
  library: () => Promise<Pick<typeof import('@x/transformers'), 'TransformersCrossEncoder'>> = () =>
    import('@x/transformers'),
): Promise<CrossEncoder> {
  if (path !== undefined && !existsSync(join(path, 'config.json')))
    throw new ProgramError(ExitCode.failed, `--rerank: expected a folder with a model (config.json), received ${path}.`)
  const { TransformersCrossEncoder } = await library().catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new ProgramError(
      ExitCode.failed,
      '--rerank: a package is not installed: ONNXRUNTIME_NODE_INSTALL=skip npm install @x/transformers @huggingface/transformers',
      { cause },
    )
  })
  const model = new TransformersCrossEncoder({ modelName: name, path, allowRemoteModels: path === undefined })
  return { modelName: name, predict: (pairs) => model.predict(pairs, { signal }) }
}

/** The model of a reranker. */
export interface RerankerOptions {
  /** The name on the Hugging Face hub, or the folder as it was named. */
  name: string
  /** The absolute path of a folder on this machine. */
  path?: string | undefined
}

/** Returns the model of this name. A folder is written like a path. */
export function rerankerOf(name: string, cwd: string): RerankerOptions {
  const isFolder = /^(?:\.{1,2}$|\.{0,2}[/\\]|[a-z]:[/\\])/i.test(name)
  return { name, path: isFolder ? resolve(cwd, name) : undefined }
}
