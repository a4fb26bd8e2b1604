/**
 * @module
 * The fences of code blocks that are split, which are closed and opened again.
 */
import type { InputText } from './input-text.ts'
import type { Block } from './markdown/block.ts'
import { isLineEnd, isSpaceAt } from './markdown/characters.ts'
import { countUpTo } from './markdown/places.ts'

/** The fences of a code block. */
export interface CodeFence {
  /** The line that opens the block, with a line ending. */
  open: string
  /** A line ending and the marks that close the block. */
  close: string
  /** The range of the lines between the fences. */
  bodyStart: number
  bodyEnd: number
}

/** Returns the fences of a block of fenced code; null for other blocks. */
export function fenceOf(text: string, { kind, start, end }: Block): CodeFence | null {
  if (kind !== 'code') return null
  let lineEnd = start
  while (lineEnd < end && !isLineEnd(text, lineEnd)) lineEnd++
  const open = text.slice(start, lineEnd)
  const marks = /^ {0,3}(`{3,}|~{3,})/.exec(open)?.[1]
  if (marks === undefined) return null
  const bodyStart = text.startsWith('\r\n', lineEnd) ? lineEnd + 2 : Math.min(end, lineEnd + 1)
  let lastLine = end
  while (lastLine > bodyStart && !isLineEnd(text, lastLine - 1)) lastLine--
  const last = text.slice(lastLine, end).trim()
  const isClosed =
    lastLine > bodyStart - 1 && last.length >= marks.length && last === (marks[0] as string).repeat(last.length)
  return { open: `${open.trimEnd()}\n`, close: `\n${marks}`, bodyStart, bodyEnd: isClosed ? lastLine : end }
}

/** Finds the code block that a chunk cuts. */
export class CodeFences {
  private readonly input: InputText
  private last: { block: Block; fence: CodeFence | null } | null = null

  constructor(input: InputText) {
    this.input = input
  }

  /** Returns the line that opens the block again in front of a chunk; an empty string outside of fenced code. */
  openAt(start: number): string {
    const fence = this.fenceAt(start)
    return fence !== null && start >= fence.bodyStart && start < fence.bodyEnd ? fence.open : ''
  }

  /** Returns the line that closes the block behind a chunk; an empty string outside of fenced code. */
  closeAt(end: number): string {
    const fence = this.fenceAt(end)
    if (fence === null) return ''
    let next = end
    // Blank lines and lines of quote marks at the end of a document are in no chunk, which is no cut. Long runs are not searched.
    const { text } = this.input
    while (next < Math.min(fence.bodyEnd, end + 1000) && (isSpaceAt(text, next) || text[next] === '>')) next++
    return next < fence.bodyEnd ? fence.close : ''
  }

  /** Returns the fences of the last code block that begins before an offset, unless another block does. */
  private fenceAt(offset: number): CodeFence | null {
    const { text, structure } = this.input
    const { blocks } = structure
    const block = blocks[countUpTo(blocks, offset, ({ start }) => start) - 1]
    if (block === undefined || offset === block.start) return null
    if (this.last?.block !== block) this.last = { block, fence: fenceOf(text, block) }
    return this.last.fence
  }
}
